//===- SubBlocks.cpp - the former blocks of a merged one ------------------===//

#include "passes/Transforms/Merge/SubBlocks.h"

#include "passes/Transforms/Utils/IndexUses.h"
#include "passes/Transforms/Utils/Kernels.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace gpuopt;

std::optional<Refusal> gpuopt::checkThreadGrouping(gpu::GPUFuncOp kernel) {
  std::optional<Refusal> refusal;
  kernel.getBody().walk([&](Operation *op) {
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
