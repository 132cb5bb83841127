//===- StepKernels.h - kernels that do several steps ------------*- C++ -*-===//
//
// Two kernels for the steps of a loop (see StepLoop.h), both with the
// parameters of its kernel, the last of which is the first step s that they do:
//
//   blocks   of `rows` x `lanes` threads. With s = P * rows * 2^(levels-1),
//   block
//            b has the classes b*lanes to b*lanes + lanes - 1 modulo P: thread
//            (row, lane) those equal to row * P + b*lanes + lane modulo P *
//            rows, whose elements it keeps in registers for the steps down to P
//            * rows; then the block's rows meet in workgroup memory, down to P.
//   last     one block, for any s: while there are more elements than threads,
//            each thread does classes one after the other, with a barrier of
//            the block behind each round; then the elements are in workgroup
//            memory, and at the end in the registers of one subgroup.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_LAUNCHES_STEPKERNELS_H
#define PASSES_LAUNCHES_STEPKERNELS_H

#include "passes/Launches/StepLoop.h"

namespace gpuopt {

/// Sizes that the target decides.
struct StepShape {
  int64_t lanes = 32;
  int64_t rows = 8;
  /// Steps that a thread does in registers.
  unsigned levels = 5;
  /// Threads of the block that does the last steps.
  int64_t lastThreads = 1024;
  /// The largest step that is left to one block.
  int64_t lastStep = 32768;

  /// What s has to be a multiple of for `blocks`.
  int64_t blockFactor() const { return rows << (levels - 1); }
};

/// Creates the kernel `blocks` beside the loop's; with `withFirst` it also does
/// what the launch before the loop does, for elements below 2 * s.
mlir::gpu::GPUFuncOp createBlockSteps(const StepLoop &steps,
                                      const StepShape &shape, bool withFirst);

/// Creates the kernel `last`.
mlir::gpu::GPUFuncOp createLastSteps(const StepLoop &steps,
                                     const StepShape &shape, bool withFirst);

} // namespace gpuopt

#endif // PASSES_LAUNCHES_STEPKERNELS_H
