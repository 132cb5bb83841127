//===- FixGeometry.h - what fixing a kernel's launch takes ------*- C++ -*-===//
//
// What passes share that write a kernel for one shape of blocks: what the
// launch has to be, and what is recorded of it. LaunchObstacle.h says why it
// cannot be.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_TRANSFORMS_GEOMETRY_FIXGEOMETRY_H
#define PASSES_TRANSFORMS_GEOMETRY_FIXGEOMETRY_H

#include "passes/Transforms/Utils/Kernels.h"

#include "mlir/IR/AffineExpr.h"

#include <array>

namespace gpuopt {

/// What a pass that fixes the launch does to one kernel.
struct GeometryPlan {
  std::array<int64_t, 3> block = {1, 1, 1};
  /// Work items of a block: as many as threads, or fewer.
  std::array<int64_t, 3> items = {1, 1, 1};
  /// Extents over the kernel's arguments; null where there is none.
  std::array<mlir::AffineExpr, 3> extents;
  /// Along which dimensions the original's blocks must have one thread.
  std::array<bool, 3> blockItems = {};
  /// The kernel depends on its block, which is the original's.
  bool keepsBlock = false;
};

/// The kernels of `module` whose launch is still open: they have no geometry
/// and are nobody's fallback.
llvm::SmallVector<mlir::gpu::GPUFuncOp>
collectOpenKernels(mlir::gpu::GPUModuleOp module);

/// Keeps the original of `kernel`, has it read the ids of work items only where
/// it does not depend on its block, and fills in the plan's `extents`. What
/// must hold of sizes for that becomes a condition of the launch.
void openGeometry(mlir::gpu::GPUFuncOp kernel, GeometryPlan &plan);

/// The dimensions along which blocks that are work items stay what they are: no
/// guard tells how many there are, so that they could not be rounded up, or
/// their number is read.
std::array<bool, 3> findSingleItems(mlir::gpu::GPUFuncOp kernel,
                                    const GeometryPlan &plan);

/// Writes down the plan as the kernel's geometry.
void recordGeometry(mlir::gpu::GPUFuncOp kernel, const GeometryPlan &plan);

/// `; a launch of blocks with more than one thread along z takes the original
/// kernel`, where the plan asks for that.
std::string describeCondition(const GeometryPlan &plan);

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_GEOMETRY_FIXGEOMETRY_H
