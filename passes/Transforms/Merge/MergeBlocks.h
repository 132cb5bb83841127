//===- MergeBlocks.h - one block does the work of several -------*- C++ -*-===//

#ifndef PASSES_TRANSFORMS_MERGE_MERGEBLOCKS_H
#define PASSES_TRANSFORMS_MERGE_MERGEBLOCKS_H

#include "passes/Transforms/Merge/MergeLegality.h"

#include <variant>

namespace gpuopt {

/// What became of the arrays of a kernel whose blocks were merged.
struct ArraysOfBlocks {
  /// Those that are one for all, larger ones over positions, and those that
  /// there is one of for each of the former blocks.
  int shared = 0, grown = 0, privatised = 0;
};

/// Lets one block of `kernel` do the work of several, with as many times the
/// threads, or says why not. Emits no remark: a plan may try it on a copy.
std::variant<Refusal, ArraysOfBlocks>
tryMergingBlocks(mlir::gpu::GPUFuncOp kernel, const MergeRequest &request,
                 TargetAttr target);

/// The same with a remark; returns whether the kernel was changed.
bool mergeBlocks(mlir::gpu::GPUFuncOp kernel, const MergeRequest &request,
                 TargetAttr target);

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_MERGE_MERGEBLOCKS_H
