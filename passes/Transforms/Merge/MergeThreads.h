//===- MergeThreads.h - a thread does the work of several -------*- C++ -*-===//

#ifndef PASSES_TRANSFORMS_MERGE_MERGETHREADS_H
#define PASSES_TRANSFORMS_MERGE_MERGETHREADS_H

#include "passes/Transforms/Merge/MergeLegality.h"

namespace gpuopt {

/// Lets one thread of `kernel` do the work of several blocks' threads. Emits a
/// remark; returns whether the kernel was changed.
bool mergeThreads(mlir::gpu::GPUFuncOp kernel, const MergeRequest &request,
                  TargetAttr target);

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_MERGE_MERGETHREADS_H
