//===- Merge.h - merge blocks and threads of one kernel ---------*- C++ -*-===//
//
// The two merges as functions, for their passes and for the pass that chooses
// the factors.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_TRANSFORMS_MERGE_MERGE_H
#define PASSES_TRANSFORMS_MERGE_MERGE_H

#include "passes/Transforms/Merge/MergeLegality.h"

namespace gpuopt {

/// Lets one block of `kernel` do the work of several, with as many times the
/// threads. Emits a remark; returns whether the kernel was changed.
bool mergeBlocks(mlir::gpu::GPUFuncOp kernel, const MergeRequest &request,
                 TargetAttr target);

/// Lets one thread of `kernel` do the work of several blocks' threads. Emits a
/// remark; returns whether the kernel was changed.
bool mergeThreads(mlir::gpu::GPUFuncOp kernel, const MergeRequest &request,
                  TargetAttr target);

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_MERGE_MERGE_H
