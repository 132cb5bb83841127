//===- ItemsOfEach.h - work items in the place of one -----------*- C++ -*-===//

#ifndef PASSES_ANALYSIS_ITEMSOFEACH_H
#define PASSES_ANALYSIS_ITEMSOFEACH_H

#include "passes/Analysis/AccessFunction.h"

#include "mlir/IR/AffineExpr.h"

namespace gpuopt {

/// How many work items of `kernel` do what one of the source's did
/// (`kItemsOfEachAttrName`), 1 as a rule. Sizes that `sizes` does not name are
/// `kAssumedSize`.
double countItemsOfEach(mlir::Operation *kernel, const SizeMap &sizes);

/// Notes that for `items`, over the arguments of `kernel`.
void setItemsOfEach(mlir::Operation *kernel, unsigned numArguments,
                    mlir::AffineExpr items);

} // namespace gpuopt

#endif // PASSES_ANALYSIS_ITEMSOFEACH_H
