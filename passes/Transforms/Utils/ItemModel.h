//===- ItemModel.h - modelled time and traffic of a work item ---*- C++ -*-===//
//
// What `passes/Analysis/PerformanceModel.h` says of a launch that nobody has
// named: `kAssumedSize` work items along each dimension in which the kernel
// reads ids, or the square of that along the only one, unless a loop of each
// runs over as many: a vector is as long as a matrix is large. Blocks are
// resident as the registers that the kernel's loops are estimated to need let
// them be. Not a measurement, but the same on every machine, so that a change
// of it tells of a change of the kernel.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_TRANSFORMS_UTILS_ITEMMODEL_H
#define PASSES_TRANSFORMS_UTILS_ITEMMODEL_H

#include "passes/Analysis/PerformanceModel.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace gpuopt {

/// A launch and the work items of the original kernel that it covers.
struct ModelledLaunch {
  LaunchProfile profile;
  double items = 1;
  /// How many of its own there are for each of these.
  double itemsOfEach = 1;
  /// Its own that were asked for along x, y, z.
  std::array<int64_t, 3> asked = {1, 1, 1};
};

/// The launch of `kernel` that nobody has named. Without `gpuopt.geometry` the
/// kernel runs in blocks of the shape `block`.
ModelledLaunch assumeLaunch(mlir::gpu::GPUFuncOp kernel, TargetAttr target,
                            const BlockShape &block, const SizeMap &sizes);

/// The launch of `kernel` that does what `original` does, the launch of the
/// kernel that it was made of.
ModelledLaunch assumeSameLaunch(mlir::gpu::GPUFuncOp kernel, TargetAttr target,
                                const BlockShape &block, const SizeMap &sizes,
                                const ModelledLaunch &original);

/// Of each work item of the original kernel.
struct ModelledItem {
  double dramBytes = 0;
  /// Its share of the launch's time.
  double nanoseconds = 0;
};

/// What `assumeLaunch` takes.
ModelledItem modelItem(mlir::gpu::GPUFuncOp kernel, TargetAttr target,
                       const BlockShape &block, const SizeMap &sizes);

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_UTILS_ITEMMODEL_H
