//===- UnrollLoop.cpp - copies of a loop's body ---------------------------===//

#include "passes/Transforms/Utils/UnrollLoop.h"

#include "mlir/Dialect/Affine/LoopUtils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace gpuopt;

/// Lets `loop` yield results of operations where it yields arguments of its
/// body; they fold to these again.
static void yieldResults(affine::AffineForOp loop) {
  Operation *yield = loop.getBody()->getTerminator();
  OpBuilder builder(yield);
  for (OpOperand &operand : yield->getOpOperands()) {
    auto argument = dyn_cast<BlockArgument>(operand.get());
    if (!argument || argument.getOwner() != loop.getBody())
      continue;
    Location loc = yield->getLoc();
    Value always =
        arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true));
    operand.set(
        arith::SelectOp::create(builder, loc, always, argument, argument));
  }
}

LogicalResult gpuopt::unrollFully(affine::AffineForOp loop) {
  yieldResults(loop);
  return affine::loopUnrollFull(loop);
}

LogicalResult gpuopt::unrollBy(affine::AffineForOp loop, uint64_t factor) {
  yieldResults(loop);
  return affine::loopUnrollByFactor(loop, factor);
}
