//===- ComputeArith.cpp - the arithmetic of the arith dialect -------------===//

#include "Interpreter.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace gpuopt::property;
using llvm::APInt;

/// The result of an operation with flags: poison where one is not kept.
static Bits checked(Operation *op, const APInt &value, bool signedWrap,
                    bool unsignedWrap) {
  auto flags = cast<arith::ArithIntegerOverflowFlagsInterface>(op);
  if ((flags.hasNoSignedWrap() && signedWrap) ||
      (flags.hasNoUnsignedWrap() && unsignedWrap))
    return std::nullopt;
  return value;
}

static Bits computeSum(Operation *op, const APInt &a, const APInt &b) {
  bool signedWrap = false, unsignedWrap = false;
  APInt value;
  if (isa<arith::AddIOp>(op)) {
    value = a.sadd_ov(b, signedWrap);
    (void)a.uadd_ov(b, unsignedWrap);
  } else if (isa<arith::SubIOp>(op)) {
    value = a.ssub_ov(b, signedWrap);
    (void)a.usub_ov(b, unsignedWrap);
  } else {
    value = a * b;
    (void)a.smul_ov(b, signedWrap);
    (void)a.umul_ov(b, unsignedWrap);
  }
  return checked(op, value, signedWrap, unsignedWrap);
}

static Bits computeShift(Operation *op, const APInt &a, const APInt &b) {
  if (b.uge(a.getBitWidth()))
    return std::nullopt;
  if (isa<arith::ShRSIOp>(op))
    return a.ashr(b);
  if (isa<arith::ShRUIOp>(op))
    return a.lshr(b);
  APInt value = a.shl(b);
  return checked(op, value, value.ashr(b) != a, value.lshr(b) != a);
}

static Bits computeDivision(Operation *op, const APInt &a, const APInt &b,
                            bool &isUndefined) {
  bool isUnsigned = isa<arith::DivUIOp, arith::RemUIOp, arith::CeilDivUIOp>(op);
  isUndefined =
      b.isZero() || (!isUnsigned && a.isMinSignedValue() && b.isAllOnes());
  if (isUndefined)
    return std::nullopt;
  if (isa<arith::DivUIOp>(op))
    return a.udiv(b);
  if (isa<arith::RemUIOp>(op))
    return a.urem(b);
  if (isa<arith::CeilDivUIOp>(op))
    return a.udiv(b) + (a.urem(b).isZero() ? 0 : 1);
  if (isa<arith::DivSIOp>(op))
    return a.sdiv(b);
  if (isa<arith::RemSIOp>(op))
    return a.srem(b);
  APInt quotient = a.sdiv(b);
  bool isExact = a.srem(b).isZero(),
       isNegative = a.isNegative() != b.isNegative();
  if (isa<arith::FloorDivSIOp>(op))
    return !isExact && isNegative ? quotient - 1 : quotient;
  return !isExact && !isNegative ? quotient + 1 : quotient;
}

static bool compare(arith::CmpIPredicate predicate, const APInt &a,
                    const APInt &b) {
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return a == b;
  case arith::CmpIPredicate::ne:
    return a != b;
  case arith::CmpIPredicate::slt:
    return a.slt(b);
  case arith::CmpIPredicate::sle:
    return a.sle(b);
  case arith::CmpIPredicate::sgt:
    return a.sgt(b);
  case arith::CmpIPredicate::sge:
    return a.sge(b);
  case arith::CmpIPredicate::ult:
    return a.ult(b);
  case arith::CmpIPredicate::ule:
    return a.ule(b);
  case arith::CmpIPredicate::ugt:
    return a.ugt(b);
  case arith::CmpIPredicate::uge:
    return a.uge(b);
  }
  llvm_unreachable("unknown predicate");
}

static Bits computeCast(Operation *op, const APInt &a) {
  Type type = op->getResult(0).getType();
  unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  if (isa<arith::ExtSIOp, arith::IndexCastOp>(op))
    return a.sextOrTrunc(width);
  APInt value = a.zextOrTrunc(width);
  if (!isa<arith::TruncIOp>(op))
    return value;
  return checked(op, value, value.sext(a.getBitWidth()) != a,
                 value.zext(a.getBitWidth()) != a);
}

Bits gpuopt::property::computeArith(Operation *op, ArrayRef<APInt> operands,
                                    bool &isUndefined) {
  const APInt &a = operands.front(), &b = operands.back();
  return TypeSwitch<Operation *, Bits>(op)
      .Case<arith::AddIOp, arith::SubIOp, arith::MulIOp>(
          [&](Operation *) { return computeSum(op, a, b); })
      .Case<arith::ShLIOp, arith::ShRSIOp, arith::ShRUIOp>(
          [&](Operation *) { return computeShift(op, a, b); })
      .Case<arith::DivSIOp, arith::DivUIOp, arith::FloorDivSIOp,
            arith::CeilDivSIOp, arith::CeilDivUIOp, arith::RemSIOp,
            arith::RemUIOp>(
          [&](Operation *) { return computeDivision(op, a, b, isUndefined); })
      .Case([&](arith::AndIOp) { return a & b; })
      .Case([&](arith::OrIOp) { return a | b; })
      .Case([&](arith::XOrIOp) { return a ^ b; })
      .Case([&](arith::MinSIOp) { return a.slt(b) ? a : b; })
      .Case([&](arith::MaxSIOp) { return a.sgt(b) ? a : b; })
      .Case([&](arith::MinUIOp) { return a.ult(b) ? a : b; })
      .Case([&](arith::MaxUIOp) { return a.ugt(b) ? a : b; })
      .Case([&](arith::CmpIOp op) {
        return APInt(1, compare(op.getPredicate(), a, b));
      })
      .Default([&](Operation *) { return computeCast(op, a); });
}
