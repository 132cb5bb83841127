//===- LoopLength.cpp - how far a loop counts -----------------------------===//

#include "passes/Raising/LoopLength.h"

#include "passes/Analysis/IntegerValues.h"
#include "passes/Analysis/LoopRange.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace gpuopt;

LoopLength::LoopLength(Value lower, Value upper, bool inclusive)
    : lower(lower), upper(upper), inclusive(inclusive) {
  IntegerValues values(
      lower.getParentRegion()->getParentOfType<FunctionOpInterface>());
  Interval begin = values.getExact(lower, /*isUnsigned=*/false).range;
  Interval end = values.getExact(upper, /*isUnsigned=*/false).range;
  isBelowEnd = isLengthFinite(begin, end, inclusive);
  isAboveBegin = isDeficitFinite(begin, end);
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
