//===- ItemModel.cpp - modelled time and traffic of a work item -----------===//

#include "passes/Transforms/Utils/ItemModel.h"

#include "passes/Analysis/Coalescing.h"
#include "passes/Analysis/Occupancy.h"
#include "passes/Transforms/BlockOrder/BlockOrder.h"
#include "passes/Transforms/Utils/Kernels.h"
#include "passes/Transforms/Utils/RegisterPressure.h"
#include "passes/Transforms/Utils/WorkgroupMemory.h"

#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace gpuopt;

/// Whether work items or blocks differ along `dimension`.
static bool readsIds(gpu::GPUFuncOp kernel, gpu::Dimension dimension) {
  return kernel
      .walk([&](Operation *op) {
        auto global = dyn_cast<gpu::GlobalIdOp>(op);
        auto block = dyn_cast<gpu::BlockIdOp>(op);
        bool isRead = (global && global.getDimension() == dimension) ||
                      (block && block.getDimension() == dimension);
        return isRead ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

static int64_t countResidentBlocks(gpu::GPUFuncOp kernel, TargetAttr target,
                                   const BlockShape &block) {
  int64_t registers = 0;
  kernel.walk([&](LoopLikeOpInterface loop) {
    if (!loop->getParentOfType<LoopLikeOpInterface>())
      registers = std::max(registers, estimateRegisters(loop));
  });
  OccupancyFact occupancy =
      computeOccupancy({llvm::product_of(block),
                        std::min(registers, target.getRegistersPerThread()),
                        workgroupBytes(kernel)},
                       target);
  return std::max<int64_t>(1, occupancy.blocksPerMultiprocessor);
}

/// Rows of blocks that are worked on together.
static int64_t groupOf(gpu::GPUFuncOp kernel) {
  BlockOrderAttr order = blockOrderOf(kernel);
  return order && order.getKind() == BlockOrderKind::Grouped ? order.getRows()
                                                             : 1;
}

/// Whether a loop of a thread runs over the sizes of arrays, also where tiles
/// have cut it into strips.
static bool hasLongLoop(const KernelProfile &profile) {
  constexpr double strip = 64;
  return llvm::any_of(profile.accesses, [](const AccessProfile &access) {
    return access.loop >= 0 && access.rounds >= kAssumedSize / strip;
  });
}

/// Work items of a launch along each dimension.
static std::array<int64_t, 3> assumedItems(gpu::GPUFuncOp kernel,
                                           const KernelProfile &profile) {
  std::array<int64_t, 3> items = {1, 1, 1};
  SmallVector<unsigned> differing;
  for (unsigned dim = 0; dim < 3; ++dim)
    if (readsIds(kernel, static_cast<gpu::Dimension>(dim))) {
      items[dim] = kAssumedSize;
      differing.push_back(dim);
    }
  if (differing.size() == 1 && !hasLongLoop(profile))
    items[differing.front()] *= kAssumedSize;
  return items;
}

ModelledLaunch gpuopt::assumeLaunch(gpu::GPUFuncOp kernel, TargetAttr target,
                                    const BlockShape &block,
                                    const SizeMap &sizes) {
  BlockShape shape = block, items = block;
  int64_t itemsPerThread = 1;
  if (GeometryAttr geometry = geometryOf(kernel)) {
    llvm::copy(geometry.getBlock(), shape.begin());
    llvm::copy(geometry.getItemsPerBlock(), items.begin());
    for (int64_t count : geometry.getItemsPerThread())
      itemsPerThread *= count;
  }
  OpBuilder builder(kernel);
  auto inOrder = cast<gpu::GPUFuncOp>(builder.clone(*kernel));
  restoreBlockOrder(inOrder);
  ModelledLaunch result;
  LaunchProfile &launch = result.profile;
  launch.kernel =
      computeKernelProfile(inOrder, target, shape, itemsPerThread, sizes);
  inOrder.erase();
  std::array<int64_t, 3> launched = assumedItems(kernel, launch.kernel);
  for (unsigned dim = 0; dim < 3; ++dim) {
    launch.grid[dim] = llvm::divideCeil(launched[dim], items[dim]);
    result.items *= static_cast<double>(launch.grid[dim]) * items[dim];
  }
  launch.group = groupOf(kernel);
  launch.blocksPerMultiprocessor = countResidentBlocks(kernel, target, shape);
  return result;
}

ModelledItem gpuopt::modelItem(gpu::GPUFuncOp kernel, TargetAttr target,
                               const BlockShape &block, const SizeMap &sizes) {
  ModelledLaunch launch = assumeLaunch(kernel, target, block, sizes);
  Prediction prediction = predictLaunch(launch.profile, target);
  return {prediction.dramBytes / launch.items,
          prediction.seconds * 1e9 / launch.items};
}
