//===- IndependentIterations.h - loops whose order is free ------*- C++ -*-===//
//
// Whether a work item may do the iterations of nested loops in any order, and
// so leave them to other work items:
//
//   for (i = 0; i < h; ++i)
//     for (j = 0; j < w; ++j)
//       a[i * w + j] = b[i * w + j] + b[i];      yes, for both
//   for (i = 0; i < h; ++i)
//     for (j = 0; j < w; ++j)
//       a[j] += b[i * w + j];                    for the inner one alone
//
// Other work items are in no order with this one before and after.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_LAUNCHES_INDEPENDENTITERATIONS_H
#define PASSES_LAUNCHES_INDEPENDENTITERATIONS_H

#include "passes/Analysis/Remarks.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

namespace gpuopt {

/// Why iterations cannot run in any order.
struct IterationOrder : Refusal {
  /// It is not known that they need their order: sizes or arrays that a launch
  /// has may well leave them independent.
  bool mayBeFree = false;
};

/// Why iterations of `loops`, each in the one before and the first in no other,
/// cannot run in any order: effects outside of them all, values from one
/// iteration to the next, or one iteration that writes what another accesses.
/// Nothing where they can.
std::optional<IterationOrder>
checkIterationsIndependent(mlir::gpu::GPUFuncOp kernel,
                           llvm::ArrayRef<mlir::LoopLikeOpInterface> loops);

} // namespace gpuopt

#endif // PASSES_LAUNCHES_INDEPENDENTITERATIONS_H
