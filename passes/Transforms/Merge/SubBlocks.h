//===- SubBlocks.h - the former blocks of a merged one ----------*- C++ -*-===//
//
// Of a block that does the work of several neighbours, with as many times the
// threads, the threads that were old block b * factor + s are *sub-block* s of
// new block b.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_TRANSFORMS_MERGE_SUBBLOCKS_H
#define PASSES_TRANSFORMS_MERGE_SUBBLOCKS_H

#include "passes/Transforms/Merge/MergeLegality.h"

namespace gpuopt {

/// Checks that nothing in `kernel` depends on which threads form a block; nor
/// on which form a subgroup, unless those of merged blocks stay as they are.
std::optional<Refusal> checkThreadGrouping(mlir::gpu::GPUFuncOp kernel,
                                           mlir::gpu::Dimension dimension,
                                           TargetAttr target);

/// Checks that a block of `kernel` may have `factor` times the threads.
std::optional<Refusal> checkThreadCount(mlir::gpu::GPUFuncOp kernel,
                                        int64_t factor, TargetAttr target);

/// Replaces the ids of the old blocks and threads by what they are in the new
/// ones, and sizes of blocks by those of the old ones. Returns the id of the
/// sub-block that a thread belongs to, at the top of the kernel.
mlir::Value splitIntoSubBlocks(mlir::gpu::GPUFuncOp kernel,
                               const MergeRequest &request);

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_MERGE_SUBBLOCKS_H
