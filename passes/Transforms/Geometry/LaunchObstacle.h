//===- LaunchObstacle.h - what ties a kernel to its launch ------*- C++ -*-===//

#ifndef PASSES_TRANSFORMS_GEOMETRY_LAUNCHOBSTACLE_H
#define PASSES_TRANSFORMS_GEOMETRY_LAUNCHOBSTACLE_H

#include "passes/Analysis/Remarks.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

#include <array>
#include <optional>

namespace gpuopt {

/// What keeps a kernel from another launch.
struct LaunchObstacle : Refusal {
  /// In blocks of the source's shape it may be launched anew: no block waits
  /// for another one, or calls what nobody knows.
  bool mayKeepBlock = true;
};

/// Whether `op` may tell where in the launch it runs, unless it is known what
/// it tells: the operations of GPU dialects, and what reads registers.
bool mayTellPlace(mlir::Operation *op);

/// Returns why the kernel depends on its launch in more than the number of work
/// items, if it does. `blockItems` is what `findBlockItems` says, `requested`
/// the block that the user wants, or empty.
std::optional<LaunchObstacle>
findLaunchObstacle(mlir::gpu::GPUFuncOp kernel,
                   const std::array<bool, 3> &blockItems,
                   llvm::ArrayRef<int64_t> requested);

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_GEOMETRY_LAUNCHOBSTACLE_H
