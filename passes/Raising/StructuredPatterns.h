//===- StructuredPatterns.h - make raised control flow readable -*- C++ -*-===//

#ifndef PASSES_RAISING_STRUCTUREDPATTERNS_H
#define PASSES_RAISING_STRUCTUREDPATTERNS_H

#include "mlir/IR/PatternMatch.h"

namespace gpuopt {

/// The negation of a condition: a comparison is inverted, a conjunction
/// becomes a disjunction (without evaluating more or less), anything else is
/// exclusive-ored.
mlir::Value makeNot(mlir::OpBuilder &builder, mlir::Location loc,
                    mlir::Value condition);

/// Patterns that turn what structurisation leaves into what one would write:
/// no `scf.if` with an empty first region, `a && b` as nested conditionals.
void populateStructuredPatterns(mlir::RewritePatternSet &patterns);

} // namespace gpuopt

#endif // PASSES_RAISING_STRUCTUREDPATTERNS_H
