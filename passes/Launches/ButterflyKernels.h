//===- ButterflyKernels.h - butterflies of several steps --------*- C++ -*-===//
//
// A kernel that does the steps s, s/2, … of a kernel of butterflies
// (GuardedKernel.h) down to u = s / 2^(levels-1), where that is a whole number.
// Thread t = Q * u + R (R < u) has the elements
//
//   2 * s * Q + R + j * u,   j = 0 … 2^levels - 1
//
// in registers, which nobody else touches in these steps, and does the work
// items s * Q + R + k * u, k = 0 … 2^(levels-1) - 1, of each. For three steps
// that is a transform of eight points out of twelve butterflies:
//
//   step      pairs of j
//   s         0 4   1 5   2 6   3 7
//   s / 2     0 2   1 3   4 6   5 7
//   s / 4     0 1   2 3   4 5   6 7
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_LAUNCHES_BUTTERFLYKERNELS_H
#define PASSES_LAUNCHES_BUTTERFLYKERNELS_H

#include "passes/Launches/StepLoop.h"

#include "mlir/IR/Builders.h"

namespace gpuopt {

/// Creates the kernel beside the loop's, with its parameters, the last of which
/// is s. Its threads are those below the number of work items / 2^(levels-1).
mlir::gpu::GPUFuncOp createButterflies(const StepLoop &steps, unsigned levels);

/// Emits how many work items of a step act, an index, where `arguments` are the
/// kernel's: half of the guard's bound or all of it, if the step divides that
/// number.
mlir::Value emitItemCount(mlir::OpBuilder &builder, const StepLoop &steps,
                          mlir::ValueRange arguments);

} // namespace gpuopt

#endif // PASSES_LAUNCHES_BUTTERFLYKERNELS_H
