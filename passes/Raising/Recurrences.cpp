//===- Recurrences.cpp - values that a loop advances evenly ---------------===//

#include "passes/Raising/Recurrences.h"

#include "passes/Raising/LoopLength.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace {

/// A carried value that grows by `amount` in each iteration.
struct Recurrence {
  unsigned position;
  Value init;
  Value amount;
  bool nsw;
};

std::optional<Recurrence> matchRecurrence(scf::ForOp loop, unsigned position) {
  BlockArgument carried = loop.getRegionIterArg(position);
  auto add = loop.getYieldedValues()[position].getDefiningOp<arith::AddIOp>();
  if (!add || !carried.getType().isIntOrIndex() ||
      (carried.getType().isInteger() &&
       carried.getType().getIntOrFloatBitWidth() > 64))
    return std::nullopt;
  Value amount = add.getLhs() == carried ? add.getRhs() : add.getLhs();
  if ((add.getLhs() != carried && add.getRhs() != carried) ||
      !loop.isDefinedOutsideOfLoop(amount))
    return std::nullopt;
  bool nsw = bitEnumContainsAny(add.getOverflowFlags(),
                                arith::IntegerOverflowFlags::nsw);
  return Recurrence{position, loop.getInitArgs()[position], amount, nsw};
}

/// `value` as an index, sign-extended.
Value toIndex(OpBuilder &builder, Location loc, Value value) {
  if (value.getType().isIndex())
    return value;
  return arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                    value);
}

/// The value after `count` additions; `count` is an index.
Value makeValue(OpBuilder &builder, Location loc, const Recurrence &recurrence,
                Value count) {
  Type type = recurrence.init.getType();
  bool narrow = type.isInteger() && type.getIntOrFloatBitWidth() < 64;
  if (narrow && !recurrence.nsw) {
    // Truncated, not cast: upstream takes a cast there and back for nothing.
    Value wide =
        arith::IndexCastOp::create(builder, loc, builder.getI64Type(), count);
    Value times = arith::TruncIOp::create(builder, loc, type, wide);
    Value offset =
        arith::MulIOp::create(builder, loc, times, recurrence.amount);
    return arith::AddIOp::create(builder, loc, recurrence.init, offset);
  }
  Value offset = arith::MulIOp::create(
      builder, loc, count, toIndex(builder, loc, recurrence.amount));
  Value sum = arith::AddIOp::create(
      builder, loc, toIndex(builder, loc, recurrence.init), offset);
  if (type.isIndex())
    return sum;
  Value wide =
      arith::IndexCastOp::create(builder, loc, builder.getI64Type(), sum);
  if (!narrow)
    return wide;
  return arith::TruncIOp::create(builder, loc, type, wide,
                                 arith::IntegerOverflowFlags::nsw);
}

} // namespace

unsigned gpuopt::closeRecurrences(RewriterBase &rewriter, scf::ForOp loop) {
  // Iterations are counted from zero: only unit steps do so for free.
  if (!matchPattern(loop.getStep(), m_One()) || loop.getUnsignedCmp())
    return 0;
  unsigned closed = 0;
  Location loc = loop.getLoc();
  for (unsigned i = 0; i < loop.getNumRegionIterArgs(); ++i) {
    std::optional<Recurrence> recurrence = matchRecurrence(loop, i);
    if (!recurrence)
      continue;
    ++closed;
    BlockArgument carried = loop.getRegionIterArg(i);
    rewriter.setInsertionPointToStart(loop.getBody());
    Value count = rewriter.createOrFold<arith::SubIOp>(
        loc, loop.getInductionVar(), loop.getLowerBound());
    Value value = makeValue(rewriter, loc, *recurrence, count);
    rewriter.replaceAllUsesWith(carried, value);
    auto yield = cast<scf::YieldOp>(loop.getBody()->getTerminator());
    rewriter.modifyOpInPlace(yield, [&] { yield->setOperand(i, carried); });
    if (loop.getResult(i).use_empty())
      continue;
    rewriter.setInsertionPointAfter(loop);
    LoopLength length(loop.getLowerBound(), loop.getUpperBound());
    Value trips = length.emit(rewriter, loc);
    rewriter.replaceAllUsesWith(loop.getResult(i),
                                makeValue(rewriter, loc, *recurrence, trips));
  }
  return closed;
}
