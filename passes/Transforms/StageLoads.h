//===- StageLoads.h - rewrites loads to go through tiles --------*- C++ -*-===//

#ifndef PASSES_TRANSFORMS_STAGELOADS_H
#define PASSES_TRANSFORMS_STAGELOADS_H

#include "passes/Transforms/StagingPlan.h"

namespace gpuopt {

/// Rewrites the loads of `plan`:
///
///   for %i = … { … load %a[%idx, %i] … }
///
/// becomes
///
///   for %i0 = … step T {
///     if … { tile[…] = load %a[…] }
///     gpu.barrier
///     for %k = 0 to min(T, …) { … load tile[%tx, %k] … }
///     gpu.barrier
///   }
///
/// Adds the loads that fill tiles to `filling`.
void applyStaging(const StagingContext &context, StagingPlan &plan,
                  llvm::SmallPtrSetImpl<mlir::Operation *> &filling);

/// An array in workgroup memory with rows of `padding` more elements.
mlir::Value createTile(mlir::gpu::GPUFuncOp kernel, mlir::Type elementType,
                       llvm::ArrayRef<int64_t> shape, int64_t padding,
                       mlir::Location loc);

/// The conjunction of `conditions` with the substitutions of `cloner`; null
/// where there are none.
mlir::Value cloneConditions(mlir::OpBuilder &builder, mlir::Location loc,
                            class SliceCloner &cloner,
                            llvm::ArrayRef<Condition> conditions,
                            mlir::Value conjunction = {});

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_STAGELOADS_H
