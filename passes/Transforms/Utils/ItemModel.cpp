//===- ItemModel.cpp - modelled time and traffic of a work item -----------===//

#include "passes/Transforms/Utils/ItemModel.h"

#include "passes/Analysis/Coalescing.h"
#include "passes/Analysis/ItemsOfEach.h"
#include "passes/Analysis/Occupancy.h"
#include "passes/Transforms/BlockOrder/BlockOrder.h"
#include "passes/Transforms/Utils/Extents.h"
#include "passes/Transforms/Utils/Kernels.h"
#include "passes/Transforms/Utils/RegisterPressure.h"
#include "passes/Transforms/Utils/WorkgroupMemory.h"

#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

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

/// The dimensions along which work items differ.
static SmallVector<unsigned> dimensionsOf(gpu::GPUFuncOp kernel) {
  SmallVector<unsigned> differing;
  for (unsigned dim = 0; dim < 3; ++dim)
    if (readsIds(kernel, static_cast<gpu::Dimension>(dim)))
      differing.push_back(dim);
  return differing;
}

/// Along which dimensions a guard lets the first work item alone act.
static std::array<bool, 3> findSingle(gpu::GPUFuncOp kernel) {
  std::array<bool, 3> single = {};
  GeometryAttr geometry = geometryOf(kernel);
  Extents extents = geometry ? Extents() : findExtents(kernel);
  for (unsigned dim = 0; dim < 3; ++dim) {
    AffineExpr end = extents.end(dim);
    if (geometry && geometry.getExtents())
      if (auto map = dyn_cast<AffineMapAttr>(geometry.getExtents()[dim]))
        end = map.getValue().getResult(0);
    auto constant = dyn_cast_or_null<AffineConstantExpr>(end);
    single[dim] = constant && constant.getValue() == 1;
  }
  return single;
}

/// Work items of a launch along each dimension.
static std::array<int64_t, 3> assumedItems(gpu::GPUFuncOp kernel,
                                           const KernelProfile &profile) {
  std::array<int64_t, 3> items = {1, 1, 1};
  SmallVector<unsigned> differing = dimensionsOf(kernel);
  for (unsigned dim : differing)
    items[dim] = kAssumedSize;
  if (differing.size() == 1 && !hasLongLoop(profile))
    items[differing.front()] *= kAssumedSize;
  return items;
}

/// The same number of work items as in `asked`, `ofEach` times, along the
/// dimensions that `kernel` has them in: a flat id may have become one along
/// each.
static std::array<int64_t, 3> sameItems(gpu::GPUFuncOp kernel,
                                        const std::array<int64_t, 3> &asked,
                                        double ofEach) {
  SmallVector<unsigned> differing = dimensionsOf(kernel);
  std::array<int64_t, 3> items = {1, 1, 1};
  for (unsigned dim : differing)
    items[dim] = asked[dim];
  double all = static_cast<double>(llvm::product_of(asked)) * ofEach;
  if (differing.empty() || static_cast<double>(llvm::product_of(items)) == all)
    return items;
  auto each =
      static_cast<int64_t>(std::ceil(std::pow(all, 1.0 / differing.size())));
  for (unsigned dim : differing)
    items[dim] = each;
  return items;
}

/// `itemsOf` says how many work items there are, seen what a block does.
static ModelledLaunch modelLaunch(
    gpu::GPUFuncOp kernel, TargetAttr target, const BlockShape &block,
    const SizeMap &sizes,
    llvm::function_ref<std::array<int64_t, 3>(const KernelProfile &)> itemsOf) {
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
  result.asked = itemsOf(launch.kernel);
  std::array<bool, 3> single = findSingle(kernel);
  for (unsigned dim = 0; dim < 3; ++dim) {
    if (single[dim])
      result.asked[dim] = items[dim] = 1;
    launch.grid[dim] = llvm::divideCeil(result.asked[dim], items[dim]);
    result.items *= static_cast<double>(launch.grid[dim]) * items[dim];
  }
  result.itemsOfEach = countItemsOfEach(kernel, sizes);
  result.items /= result.itemsOfEach;
  launch.group = groupOf(kernel);
  launch.blocksPerMultiprocessor = countResidentBlocks(kernel, target, shape);
  return result;
}

ModelledLaunch gpuopt::assumeLaunch(gpu::GPUFuncOp kernel, TargetAttr target,
                                    const BlockShape &block,
                                    const SizeMap &sizes) {
  return modelLaunch(kernel, target, block, sizes,
                     [&](const KernelProfile &profile) {
                       return assumedItems(kernel, profile);
                     });
}

ModelledLaunch gpuopt::assumeSameLaunch(gpu::GPUFuncOp kernel,
                                        TargetAttr target,
                                        const BlockShape &block,
                                        const SizeMap &sizes,
                                        const ModelledLaunch &original) {
  return modelLaunch(kernel, target, block, sizes, [&](const KernelProfile &) {
    return sameItems(kernel, original.asked, countItemsOfEach(kernel, sizes));
  });
}

ModelledItem gpuopt::modelItem(gpu::GPUFuncOp kernel, TargetAttr target,
                               const BlockShape &block, const SizeMap &sizes) {
  ModelledLaunch launch = assumeLaunch(kernel, target, block, sizes);
  Prediction prediction = predictLaunch(launch.profile, target);
  return {prediction.dramBytes / launch.items,
          prediction.seconds * 1e9 / launch.items};
}
