//===- LoopLength.cpp - how far a loop counts -----------------------------===//

#include "passes/Raising/LoopLength.h"

#include "passes/Analysis/IntegerValues.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace gpuopt;

static Interval distance(Interval lower, Interval upper) {
  return upper + Interval{-1, -1} * lower;
}

bool LoopLength::fits(Interval lower, Interval upper) {
  return lower.low >= 0 || upper.high < -1 ||
         distance(lower, upper).high < Interval::plusInfinity;
}

LoopLength::LoopLength(Value lower, Value upper, bool inclusive)
    : lower(lower), upper(upper), inclusive(inclusive) {
  IntegerValues values(
      lower.getParentRegion()->getParentOfType<FunctionOpInterface>());
  Interval begin = values.getExact(lower, /*isUnsigned=*/false).range;
  Interval end = values.getExact(upper, /*isUnsigned=*/false).range;
  if (inclusive)
    begin = begin + Interval{-1, -1};
  isBelowEnd = fits(begin, end);
  isAboveBegin = begin.high <= 0 || end.low >= 0 ||
                 distance(begin, end).low > Interval::minusInfinity;
}

Value LoopLength::emitDifference(OpBuilder &builder, Location loc) const {
  Value difference = builder.createOrFold<arith::SubIOp>(loc, upper, lower);
  if (!inclusive)
    return difference;
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  return builder.createOrFold<arith::AddIOp>(loc, difference, one);
}

Value LoopLength::emitBound(OpBuilder &builder, Location loc) const {
  return isAboveBegin ? emitDifference(builder, loc) : emit(builder, loc);
}

Value LoopLength::emit(OpBuilder &builder, Location loc) const {
  Value difference = emitDifference(builder, loc);
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  if (isBelowEnd && isAboveBegin)
    return builder.createOrFold<arith::MaxSIOp>(loc, difference, zero);
  Value runs = builder.createOrFold<arith::CmpIOp>(
      loc, inclusive ? arith::CmpIPredicate::sle : arith::CmpIPredicate::slt,
      lower, upper);
  return arith::SelectOp::create(builder, loc, runs, difference, zero);
}
