//===- StageLoads.h - rewrites loads to go through tiles --------*- C++ -*-===//

#ifndef PASSES_TRANSFORMS_COALESCE_STAGELOADS_H
#define PASSES_TRANSFORMS_COALESCE_STAGELOADS_H

#include "passes/Transforms/Coalesce/StagingPlan.h"

namespace gpuopt {

/// Rewrites the loads of `plan`:
///
///   for %i = … { … load %a[%idx, %i] … }
///
/// becomes
///
///   for %i0 = … step T {
///     affine.parallel … { if … { tile[…] = load %a[…] } } {gpuopt.collective}
///     gpu.barrier
///     for %k = 0 to min(T, …) { … load tile[%tx, %k] … }
///     gpu.barrier
///   }
void applyStaging(const StagingContext &context, StagingPlan &plan);

llvm::SmallVector<int64_t> shapeOf(llvm::ArrayRef<TileDimension> dimensions);

/// An array in workgroup memory.
mlir::Value createTile(mlir::gpu::GPUFuncOp kernel, mlir::Type elementType,
                       llvm::ArrayRef<int64_t> shape, mlir::Location loc);

/// The conjunction of `conditions` with the substitutions of `cloner`; null
/// where there are none.
mlir::Value cloneConditions(mlir::OpBuilder &builder, mlir::Location loc,
                            class SliceCloner &cloner,
                            llvm::ArrayRef<Condition> conditions,
                            mlir::Value conjunction = {});

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_COALESCE_STAGELOADS_H
