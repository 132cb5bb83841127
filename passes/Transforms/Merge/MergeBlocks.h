//===- MergeBlocks.h - one block does the work of several -------*- C++ -*-===//

#ifndef PASSES_TRANSFORMS_MERGE_MERGEBLOCKS_H
#define PASSES_TRANSFORMS_MERGE_MERGEBLOCKS_H

#include "passes/Transforms/Merge/MergeLegality.h"

namespace gpuopt {

/// Lets one block of `kernel` do the work of several, with as many times the
/// threads. Emits a remark; returns whether the kernel was changed.
bool mergeBlocks(mlir::gpu::GPUFuncOp kernel, const MergeRequest &request,
                 TargetAttr target);

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_MERGE_MERGEBLOCKS_H
