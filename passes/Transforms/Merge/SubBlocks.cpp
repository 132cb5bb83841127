//===- SubBlocks.cpp - the former blocks of a merged one ------------------===//

#include "passes/Transforms/Merge/SubBlocks.h"

#include "passes/Analysis/SubgroupExchange.h"
#include "passes/Transforms/Utils/IndexUses.h"
#include "passes/Transforms/Utils/Kernels.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace gpuopt;

/// Whether threads that were one subgroup are one when blocks are merged along
/// `dimension`. Threads are numbered along x first: those of a block that
/// differ in later dimensions only move by multiples of what is before them.
static bool keepsSubgroups(gpu::GPUFuncOp kernel, gpu::Dimension dimension,
                           TargetAttr target) {
  int64_t threads = 1;
  for (int64_t extent : geometryOf(kernel).getBlock().take_front(
           static_cast<unsigned>(dimension) + 1))
    threads *= extent;
  return threads % target.getSubgroupSize() == 0;
}

std::optional<Refusal> gpuopt::checkThreadGrouping(gpu::GPUFuncOp kernel,
                                                   gpu::Dimension dimension,
                                                   TargetAttr target) {
  bool areKept = keepsSubgroups(kernel, dimension, target);
  std::optional<Refusal> refusal;
  kernel.getBody().walk([&](Operation *op) {
    if (areKept && (isSubgroupExchange(op) || isa<gpu::LaneIdOp>(op)))
      return;
    if (std::optional<std::string> reason = dependsOnThreadGrouping(op))
      refusal = Refusal{op->getLoc(), *reason};
  });
  return refusal;
}

std::optional<Refusal> gpuopt::checkThreadCount(gpu::GPUFuncOp kernel,
                                                int64_t factor,
                                                TargetAttr target) {
  int64_t threads = factor;
  for (int64_t extent : geometryOf(kernel).getBlock())
    threads *= extent;
  if (threads <= target.getThreadsPerWorkgroup())
    return std::nullopt;
  return Refusal{kernel.getLoc(),
                 "needs " + std::to_string(threads) +
                     " threads, a block has at most " +
                     std::to_string(target.getThreadsPerWorkgroup())};
}

Value gpuopt::splitIntoSubBlocks(gpu::GPUFuncOp kernel,
                                 const MergeRequest &request) {
  int64_t extent = geometryOf(kernel).getBlock()[unsigned(request.dimension)];
  gatherIds(kernel);
  OpBuilder builder(kernel.getContext());
  Value thread = threadIdAtTop(kernel, unsigned(request.dimension));
  builder.setInsertionPointAfterValue(thread);
  Location loc = thread.getLoc();
  AffineExpr d0 = builder.getAffineDimExpr(0), d1 = builder.getAffineDimExpr(1);
  auto apply = [&](AffineExpr expression, ValueRange operands) -> Value {
    return affine::AffineApplyOp::create(
        builder, loc, AffineMap::get(operands.size(), 0, expression), operands);
  };
  Value subBlock = apply(d0.floorDiv(extent), thread);
  Value inSubBlock = apply(d0 % extent, thread);
  thread.replaceUsesWithIf(inSubBlock, [&](OpOperand &use) {
    return use.getOwner() != subBlock.getDefiningOp() &&
           use.getOwner() != inSubBlock.getDefiningOp();
  });
  kernel.getBody().walk([&](gpu::BlockIdOp id) {
    if (id.getDimension() != request.dimension)
      return;
    id->moveBefore(subBlock.getDefiningOp());
    builder.setInsertionPointAfterValue(inSubBlock);
    Value old = apply(d0 * request.factor + d1, {id.getResult(), subBlock});
    id.getResult().replaceAllUsesExcept(old, old.getDefiningOp());
  });
  kernel.getBody().walk([&](gpu::BlockDimOp size) {
    if (size.getDimension() != request.dimension)
      return;
    OpBuilder here(size);
    size.replaceAllUsesWith(
        arith::ConstantIndexOp::create(here, size.getLoc(), extent)
            .getResult());
  });
  return subBlock;
}
