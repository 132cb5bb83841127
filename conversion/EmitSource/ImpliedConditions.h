//===- ImpliedConditions.h - conditions that follow from others -*- C++ -*-===//

#ifndef CONVERSION_EMITSOURCE_IMPLIEDCONDITIONS_H
#define CONVERSION_EMITSOURCE_IMPLIEDCONDITIONS_H

#include "mlir/IR/IntegerSet.h"

namespace gpuopt::source {

/// The numbers of the constraints of `set` that have to be looked at where all
/// of `positive` are 1 or more: no other one says as much or more.
llvm::SmallVector<unsigned>
findNeededConstraints(mlir::IntegerSet set,
                      llvm::ArrayRef<mlir::AffineExpr> positive);

} // namespace gpuopt::source

#endif // CONVERSION_EMITSOURCE_IMPLIEDCONDITIONS_H
