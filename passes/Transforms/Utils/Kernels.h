//===- Kernels.h - what every transform asks of a kernel --------*- C++ -*-===//

#ifndef PASSES_TRANSFORMS_UTILS_KERNELS_H
#define PASSES_TRANSFORMS_UTILS_KERNELS_H

#include "dialects/GPUOpt/GPUOptAttrs.h"
#include "passes/Analysis/Remarks.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

#include <optional>
#include <string>

namespace gpuopt {

/// The machine description to optimise `op` for: `name` where it is not empty
/// (a known name or a path), else the nearest `gpuopt.target` attribute.
/// Failure has been reported at `op`.
mlir::FailureOr<TargetAttr> resolveTarget(mlir::Operation *op,
                                          llvm::StringRef name);

/// The kernels of `module` that a pass has to look at: all that are not only
/// kept as the fallback of another one.
llvm::SmallVector<mlir::gpu::GPUFuncOp>
collectKernels(mlir::gpu::GPUModuleOp module);

/// The geometry of a kernel, or null.
GeometryAttr geometryOf(mlir::gpu::GPUFuncOp kernel);

/// Keeps a copy of `kernel`, as it is now, as `<symbol>__original` for launches
/// that the tuned one cannot cover; does nothing where it has one.
void keepOriginal(mlir::gpu::GPUFuncOp kernel);

/// The one `gpu.thread_id` of `kernel` for `dimension`, at its top.
mlir::Value threadIdAtTop(mlir::gpu::GPUFuncOp kernel, unsigned dimension);

/// The one `gpu.block_id` of `kernel` for `dimension`, once ids are gathered;
/// null where there is none.
mlir::Value blockIdAtTop(mlir::gpu::GPUFuncOp kernel, unsigned dimension);

/// Leaves a single `gpu.thread_id` and `gpu.block_id` for each dimension that
/// is used, at the top of the kernel, where they are affine symbols.
void gatherIds(mlir::gpu::GPUFuncOp kernel);

/// Why what `op` does depends on which threads form a subgroup or a block;
/// nothing where it does not.
std::optional<std::string> dependsOnThreadGrouping(mlir::Operation *op);

/// Registers of 32 bits that a value of `type` takes.
int64_t registersOf(mlir::Type type);

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_UTILS_KERNELS_H
