//===- DRAMModel.cpp - modelled time and DRAM traffic ---------------------===//

#include "tools/lib/report/DRAMModel.h"

#include "passes/Analysis/Coalescing.h"
#include "passes/Analysis/Occupancy.h"
#include "passes/Analysis/PerformanceModel.h"
#include "passes/Transforms/BlockOrder/BlockOrder.h"
#include "passes/Transforms/Utils/Kernels.h"
#include "passes/Transforms/Utils/RegisterPressure.h"
#include "passes/Transforms/Utils/WorkgroupMemory.h"

#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace gpuopt;

static int64_t productOf(const BlockShape &shape) {
  return shape[0] * shape[1] * shape[2];
}

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
  OccupancyFact occupancy = computeOccupancy(
      {productOf(block), std::min(registers, target.getRegistersPerThread()),
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

ModelledItem gpuopt::modelItem(gpu::GPUFuncOp kernel, TargetAttr target,
                               const BlockShape &block, const SizeMap &sizes) {
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
  LaunchProfile launch;
  launch.kernel =
      computeKernelProfile(inOrder, target, shape, itemsPerThread, sizes);
  inOrder.erase();
  double covered = 1;
  for (unsigned dim = 0; dim < 3; ++dim) {
    bool isRead = readsIds(kernel, static_cast<gpu::Dimension>(dim));
    launch.grid[dim] = isRead ? llvm::divideCeil(kAssumedSize, items[dim]) : 1;
    covered *= static_cast<double>(launch.grid[dim]) * items[dim];
  }
  launch.group = groupOf(kernel);
  launch.blocksPerMultiprocessor = countResidentBlocks(kernel, target, shape);
  Prediction prediction = predictLaunch(launch, target);
  return {prediction.dramBytes / covered, prediction.seconds * 1e9 / covered};
}
