//===- StepKernels.h - kernels that do several steps ------------*- C++ -*-===//
//
// Two kernels for the steps of a loop (see StepLoop.h), both with the
// parameters of its kernel, the last of which is the first step s that they do:
//
//   blocks   of `rows` x `lanes` threads, for `levels` + log2(`rows`) steps.
//            Block b has the trees of the work items b*lanes to b*lanes +
//            lanes - 1 of the last of these steps (see StepLoop.h). Thread
//            (row, lane) has that part of the tree of b*lanes + lane in
//            registers which leads to the work item that the bits of `row` name
//            in the last of the first `levels` steps; then the block's rows
//            meet in workgroup memory.
//   last     one block: while there are more elements than threads, each thread
//            does trees of `lastLevels` steps one after the other, with a
//            barrier of the block behind each round; then the elements are in
//            workgroup memory, and at the end in the registers of one subgroup
//            where the target has shuffles.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_LAUNCHES_STEPKERNELS_H
#define PASSES_LAUNCHES_STEPKERNELS_H

#include "dialects/GPUOpt/GPUOptAttrs.h"
#include "passes/Launches/StepLoop.h"

namespace gpuopt {

/// Sizes that the target decides.
struct StepShape {
  int64_t lanes = 32;
  int64_t rows = 8;
  /// Steps that a thread does in registers.
  unsigned levels = 5;
  /// Threads of the block that does the last steps.
  int64_t lastThreads = 512;
  /// Steps that each of them does in registers.
  unsigned lastLevels = 5;
  /// The largest step that is left to one block.
  int64_t lastStep = 32768;
  /// Whether the lanes of a subgroup exchange values at the end.
  bool hasShuffles = true;

  /// What s has to be a multiple of for `blocks` where all elements count.
  int64_t blockFactor() const { return rows << (levels - 1); }
};

/// Determines the sizes for the steps of a loop on `target`.
StepShape computeStepShape(const StepLoop &steps, TargetAttr target);

/// Creates the kernel `blocks` beside the loop's; with `withFirst` it also does
/// what the launch before the loop does, for elements below 2 * s.
mlir::gpu::GPUFuncOp createBlockSteps(const StepLoop &steps,
                                      const StepShape &shape, bool withFirst);

/// Creates the kernel `last`.
mlir::gpu::GPUFuncOp createLastSteps(const StepLoop &steps,
                                     const StepShape &shape, bool withFirst);

} // namespace gpuopt

#endif // PASSES_LAUNCHES_STEPKERNELS_H
