//===- MergeLegality.h - what block and thread merge share ------*- C++ -*-===//
//
// Both merges let one block of the new kernel do the work of `factor`
// neighbouring blocks of the old one. What must hold for that in any case, and
// how the geometry changes, is here.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_TRANSFORMS_MERGE_MERGELEGALITY_H
#define PASSES_TRANSFORMS_MERGE_MERGELEGALITY_H

#include "dialects/GPUOpt/GPUOptAttrs.h"
#include "passes/Analysis/Remarks.h"
#include "passes/Analysis/Uniformity.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

#include <optional>
#include <string>

namespace gpuopt {

/// Which work items a thread gets, of the B that a block of T threads had.
enum class Ownership {
  Interleaved, ///< thread t gets t, B + t, 2 * B + t, …
  Contiguous,  ///< thread t gets t * N, t * N + 1, … (N: factor, T = B)
};

/// Which blocks become one: `factor` neighbours along `dimension`.
struct MergeRequest {
  mlir::gpu::Dimension dimension;
  int64_t factor;
  /// Of merged threads only.
  Ownership ownership = Ownership::Interleaved;
};

/// Reads the pass option `ownership`; nothing, after an error at `location`,
/// where it is none.
std::optional<Ownership> parseOwnership(mlir::Location location,
                                        llvm::StringRef ownership);

/// Runs `merge` on every kernel of `module` with what the pass options
/// `dimension`, `factor` and `target` say. Returns how many kernels it
/// changed; failure, after an error, where an option is wrong.
mlir::FailureOr<int64_t> mergeKernels(
    mlir::gpu::GPUModuleOp module, llvm::StringRef dimension, int64_t factor,
    llvm::StringRef target,
    llvm::function_ref<bool(mlir::gpu::GPUFuncOp, MergeRequest, TargetAttr)>
        merge);

/// Checks what both merges need: a known geometry, no trace of the number of
/// blocks unless launches come in multiples of merged ones, no operation whose
/// effects are not known, and nothing by which one block could talk to another
/// while both run.
std::optional<Refusal> checkBlocksIndependent(mlir::gpu::GPUFuncOp kernel,
                                              mlir::gpu::Dimension dimension);

/// Whether no operation of `kernel` keeps merges away by itself, by effects that
/// are not known or as a talk between blocks.
bool mayBeMerged(mlir::gpu::GPUFuncOp kernel);

/// Writes the number of the original's blocks as what it is of merged ones.
void scaleGridSizes(mlir::gpu::GPUFuncOp kernel, const MergeRequest &request);

/// Checks that every barrier is reached, and equally often, by all the blocks
/// that are merged along `dimension`.
std::optional<Refusal> checkBarriersAgree(mlir::gpu::GPUFuncOp kernel,
                                          const UniformityAnalysis &uniformity,
                                          mlir::gpu::Dimension dimension);

/// Whether `dependence` tells the blocks apart that are merged.
inline bool isVariant(Dependence dependence, mlir::gpu::Dimension dimension) {
  return (dependence & (blockDependence(dimension) | Dependence::Unknown)) !=
         Dependence::None;
}

/// Multiplies the geometry's items of a block by `factor`, and with them its
/// threads (`growBlock`) or the items of a thread.
void updateGeometry(mlir::gpu::GPUFuncOp kernel, const MergeRequest &request,
                    bool growBlock);

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_MERGE_MERGELEGALITY_H
