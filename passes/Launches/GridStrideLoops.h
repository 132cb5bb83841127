//===- GridStrideLoops.h - loops by the size of the launch ------*- C++ -*-===//
//
// A *grid-stride loop* visits, over all threads of a launch of any size, each
// number from `begin` to `end` once:
//
//   for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
//        i += gridDim.x * blockDim.x)
//
// Iterations of different threads are not ordered. Those of one thread are; who
// wants to give each its own work item has to know that they are independent.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_LAUNCHES_GRIDSTRIDELOOPS_H
#define PASSES_LAUNCHES_GRIDSTRIDELOOPS_H

#include "passes/Analysis/IntegerValues.h"
#include "passes/Launches/IndependentIterations.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace gpuopt {

/// One loop from begin + id to end by the number of work items along a
/// dimension.
struct GridStrideLoop {
  mlir::scf::ForOp loop;
  /// 0, 1, 2 for x, y, z.
  unsigned dimension = 0;
  /// Parameters: end - begin, the number of iterations of all work items.
  Polynomial items;
  /// Whether the loop has as many only where the number is from 0 to 2^31.
  bool mayWrap = false;
};

/// The grid-stride loops of `kernel`, outermost first.
llvm::SmallVector<GridStrideLoop>
findGridStrideLoops(mlir::gpu::GPUFuncOp kernel, IntegerValues &values);

/// Why iterations of `loops`, which are all that `findGridStrideLoops` finds,
/// cannot run in any order: loops beside each other, effects outside, values
/// from one iteration to the next, a work item that uses its id or the launch's
/// size for something else, or one iteration that writes what another accesses.
/// Ids along dimensions in `plain`, which have no loop, may be used freely.
std::optional<IterationOrder>
checkIterationsIndependent(mlir::gpu::GPUFuncOp kernel,
                           llvm::ArrayRef<GridStrideLoop> loops,
                           const std::array<bool, 3> &plain);

/// Whether `kernel` uses the size of its launch or of its blocks for more than
/// the steps of `loops`.
bool usesSizesOtherwise(mlir::gpu::GPUFuncOp kernel,
                        llvm::ArrayRef<GridStrideLoop> loops);

} // namespace gpuopt

#endif // PASSES_LAUNCHES_GRIDSTRIDELOOPS_H
