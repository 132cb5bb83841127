//===- MergeThreads.h - a thread does the work of several -------*- C++ -*-===//

#ifndef PASSES_TRANSFORMS_MERGE_MERGETHREADS_H
#define PASSES_TRANSFORMS_MERGE_MERGETHREADS_H

#include "passes/Transforms/Merge/MergeLegality.h"

#include <variant>

namespace gpuopt {

/// What became of the arrays of a kernel whose threads were merged.
struct MergedArrays {
  /// Arrays over positions, which are larger now.
  int grown = 0;
  /// Arrays that there is one of for each replica.
  int perReplica = 0;
};

/// Lets one thread of `kernel` do the work of several blocks' threads, or says
/// why not. Emits no remark: a plan may try it on a copy.
std::variant<Refusal, MergedArrays>
tryMergingThreads(mlir::gpu::GPUFuncOp kernel, const MergeRequest &request,
                  TargetAttr target);

/// The same with a remark; returns whether the kernel was changed.
bool mergeThreads(mlir::gpu::GPUFuncOp kernel, const MergeRequest &request,
                  TargetAttr target);

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_MERGE_MERGETHREADS_H
