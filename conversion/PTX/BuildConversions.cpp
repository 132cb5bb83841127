//===- BuildConversions.cpp - conversions and moves -----------------------===//

#include "conversion/PTX/Builders.h"

#include "conversion/PTX/RecoverPointers.h"

#include "llvm/IR/Intrinsics.h"

using namespace llvm;
using namespace gpuopt;
using namespace gpuopt::ptx;

//===----------------------------------------------------------------------===//
// cvt
//===----------------------------------------------------------------------===//

/// Between integers; `.sat` takes the nearest number that there is.
static Value *convertInteger(Operation &op) {
  Builder &ir = op.ir;
  RegisterType to = op.type(0), from = op.type(1);
  llvm::Type *target = ir.getIntNTy(to.bits);
  for (StringRef modifier : op.match.modifiers)
    if (modifier != "sat")
      return op.fail("integers are not rounded");
  if (!op.has("sat"))
    return ir.CreateIntCast(op[0], target, from.isSigned());
  llvm::Type *wide = ir.getIntNTy(128);
  Value *value = ir.CreateIntCast(op[0], wide, from.isSigned());
  APInt least = to.isSigned() ? APInt::getSignedMinValue(to.bits).sext(128)
                              : APInt::getZero(128);
  APInt most = to.isSigned() ? APInt::getSignedMaxValue(to.bits).zext(128)
                             : APInt::getMaxValue(to.bits).zext(128);
  value = ir.CreateBinaryIntrinsic(Intrinsic::smax, value, ir.getInt(least));
  value = ir.CreateBinaryIntrinsic(Intrinsic::smin, value, ir.getInt(most));
  return ir.CreateTrunc(value, target);
}

/// `rz`, `rm` or `rp`; empty for to nearest.
static StringRef directionOf(const Operation &op) {
  return op.has("rz") ? "rz" : op.has("rm") ? "rm" : op.has("rp") ? "rp" : "";
}

static bool isDirected(const Operation &op) { return !directionOf(op).empty(); }

/// To 16 bits, for which LLVM has to-nearest only: where that went past the
/// number in the wrong direction, its neighbour.
static Value *truncateDirected(Operation &op, Value *value,
                               llvm::Type *target) {
  Builder &ir = op.ir;
  StringRef direction = directionOf(op);
  Value *nearest = ir.CreateFPTrunc(value, target);
  Value *back = ir.CreateFPExt(nearest, value->getType());
  Value *bits = ir.CreateBitCast(nearest, ir.getInt16Ty());
  Value *isNegative = ir.CreateICmpSLT(bits, ir.getInt16(0));
  auto magnitude = [&](Value *of) {
    return ir.CreateUnaryIntrinsic(Intrinsic::fabs, of);
  };
  Value *isPast, *isSmaller;
  if (direction == "rz") {
    isPast = ir.CreateFCmpOGT(magnitude(back), magnitude(value));
    isSmaller = ir.getTrue();
  } else if (direction == "rm") {
    isPast = ir.CreateFCmpOGT(back, value);
    isSmaller = ir.CreateNot(isNegative);
  } else {
    isPast = ir.CreateFCmpOLT(back, value);
    isSmaller = isNegative;
  }
  Value *step = ir.CreateSelect(isSmaller, ir.getInt16(-1), ir.getInt16(1));
  Value *moved = ir.CreateAdd(bits, step);
  return ir.CreateBitCast(ir.CreateSelect(isPast, moved, bits), target);
}

/// A number of 64 bits that a double has room for, on the same side of all
/// numbers with fewer digits.
static Value *roundToOdd(Builder &ir, Value *number, bool isSigned) {
  constexpr uint64_t lost = (1 << 11) - 1;
  Value *rest = ir.CreateIsNotNull(ir.CreateAnd(number, lost));
  Value *odd =
      ir.CreateOr(ir.CreateAnd(number, ~lost),
                  ir.CreateShl(ir.CreateZExt(rest, number->getType()), 11));
  Value *magnitude =
      isSigned ? ir.CreateBinaryIntrinsic(Intrinsic::abs, number, ir.getFalse())
               : number;
  Value *isExact = ir.CreateICmpULE(magnitude, ir.getInt64(uint64_t(1) << 53));
  return ir.CreateSelect(isExact, number, odd);
}

static Value *integerToFloat(Operation &op) {
  Builder &ir = op.ir;
  RegisterType to = op.type(0), from = op.type(1);
  llvm::Type *target = op.function.typeOf(to);
  // Of 16 bits as for bf16, which has the fewest digits.
  unsigned precision = to.bits == 64 ? 53 : to.bits == 32 ? 24 : 8;
  bool isExact = from.bits <= precision;
  if (isDirected(op) && !isExact) {
    StringRef name = from.isSigned() ? "ll2" : "ull2";
    Value *wide = ir.CreateIntCast(op[0], ir.getInt64Ty(), from.isSigned());
    Value *rounded = op.callNVVM(
        (name + (to.bits == 32 ? "f." : "d.") + directionOf(op)).str(), {wide});
    // Twice in one direction is once.
    return to.bits < 32 ? truncateDirected(op, rounded, target) : rounded;
  }
  // No step between rounds twice.
  if (to.kind == RegisterType::Kind::BFloat) {
    Value *number =
        from.bits > 32 ? roundToOdd(ir, op[0], from.isSigned()) : op[0];
    Value *exact = from.isSigned() ? ir.CreateSIToFP(number, ir.getDoubleTy())
                                   : ir.CreateUIToFP(number, ir.getDoubleTy());
    return ir.CreateFPTrunc(exact, target);
  }
  Value *value = from.isSigned() ? ir.CreateSIToFP(op[0], target)
                                 : ir.CreateUIToFP(op[0], target);
  return value;
}

/// To a whole number of the same type.
static Value *roundToInteger(Operation &op, Value *value) {
  Intrinsic::ID id = op.has("rni")   ? Intrinsic::roundeven
                     : op.has("rzi") ? Intrinsic::trunc
                     : op.has("rmi") ? Intrinsic::floor
                     : op.has("rpi") ? Intrinsic::ceil
                                     : Intrinsic::not_intrinsic;
  return id == Intrinsic::not_intrinsic ? value
                                        : op.ir.CreateUnaryIntrinsic(id, value);
}

static bool roundsToInteger(Operation &op) {
  return op.has("rni") || op.has("rzi") || op.has("rmi") || op.has("rpi");
}

/// Numbers outside of the range become its ends. What is no number is zero, but
/// the highest bit alone where f64 or 64 bits are involved.
static Value *floatToInteger(Operation &op) {
  Builder &ir = op.ir;
  RegisterType to = op.type(0), from = op.type(1);
  if (!roundsToInteger(op))
    return op.fail("it needs a rounding mode");
  Value *value = op[0];
  if (op.has("ftz") && from.bits == 32)
    value = build::flush(ir, value);
  // Halves go by way of float, as LLVM 22 takes a half that is no number for
  // the smallest one on x86.
  if (from.bits < 32)
    value = ir.CreateFPExt(value, ir.getFloatTy());
  value = roundToInteger(op, value);
  llvm::Type *target = ir.getIntNTy(to.bits);
  Value *number = ir.CreateIntrinsic(to.isSigned() ? Intrinsic::fptosi_sat
                                                   : Intrinsic::fptoui_sat,
                                     {target, value->getType()}, {value});
  if (from.bits != 64 && to.bits != 64)
    return number;
  Value *isNone = ir.CreateFCmpUNO(value, value);
  return ir.CreateSelect(isNone, ir.getInt(APInt::getSignedMinValue(to.bits)),
                         number);
}

/// `.satfinite`: what is larger than any number of `type`, of 16 bits, becomes
/// the largest one; what is no number stays so.
static Value *clampTo(Operation &op, llvm::Type *type, Value *value) {
  if (!op.has("satfinite"))
    return value;
  APFloat most = APFloat::getLargest(type->getFltSemantics());
  bool isInexact;
  most.convert(value->getType()->getFltSemantics(),
               APFloat::rmNearestTiesToEven, &isInexact);
  auto *upper = ConstantFP::get(op.ir.getContext(), most);
  auto *lower = ConstantFP::get(op.ir.getContext(), neg(most));
  value = op.ir.CreateSelect(op.ir.CreateFCmpOGT(value, upper), upper, value);
  return op.ir.CreateSelect(op.ir.CreateFCmpOLT(value, lower), lower, value);
}

static Value *floatToFloat(Operation &op) {
  Builder &ir = op.ir;
  RegisterType to = op.type(0), from = op.type(1);
  Value *value = op[0];
  if (op.has("ftz") && from.bits == 32)
    value = build::flush(ir, value);
  llvm::Type *target = op.function.typeOf(to);
  if (to.bits == from.bits && to.kind != from.kind)
    return op.fail("between f16 and bf16 it is not supported");
  if (to.bits < from.bits) {
    value = clampTo(op, target, value);
    if (isDirected(op) && to.bits == 16) {
      value = truncateDirected(op, value, target);
    } else if (isDirected(op)) {
      value = op.callNVVM(("d2f." + directionOf(op)).str(), {value});
    } else {
      value = ir.CreateFPTrunc(value, target);
    }
  } else if (to.bits > from.bits) {
    value = ir.CreateFPExt(value, target);
  } else {
    value = roundToInteger(op, value);
  }
  if (op.has("ftz") && to.bits == 32)
    value = build::flush(ir, value);
  return value;
}

Value *build::convert(Operation &op) {
  Builder &ir = op.ir;
  bool toFloat = op.type(0).isFloat(), fromFloat = op.type(1).isFloat();
  if (!toFloat)
    return fromFloat ? floatToInteger(op) : convertInteger(op);
  Value *value = fromFloat ? floatToFloat(op) : integerToFloat(op);
  if (!value)
    return nullptr;
  Constant *zero = Constant::getNullValue(value->getType());
  Constant *one = ConstantFP::get(value->getType(), 1.0);
  if (op.has("sat")) {
    value = ir.CreateSelect(ir.CreateFCmpOGT(value, zero), value, zero);
    value = ir.CreateSelect(ir.CreateFCmpOGT(value, one), one, value);
  }
  if (op.has("relu"))
    value = ir.CreateSelect(ir.CreateFCmpOLE(value, zero), zero, value);
  return value;
}

/// The first operand becomes the upper half.
Value *build::convertPair(Operation &op) {
  Builder &ir = op.ir;
  auto *type = cast<FixedVectorType>(op.function.typeOf(op.type(0)));
  Value *pair = PoisonValue::get(type);
  for (unsigned i = 0; i < 2; ++i) {
    llvm::Type *element = type->getElementType();
    Value *value = clampTo(op, element, op[1 - i]);
    Value *half = isDirected(op) ? truncateDirected(op, value, element)
                                 : ir.CreateFPTrunc(value, element);
    Constant *zero = Constant::getNullValue(half->getType());
    if (op.has("relu"))
      half = ir.CreateSelect(ir.CreateFCmpOLE(half, zero), zero, half);
    pair = ir.CreateInsertElement(pair, half, uint64_t(i));
  }
  return pair;
}

/// The 13 lowest bits go: to nearest, ties away from zero or to even.
/// `.satfinite` and `.relu` of the bits of a number.
static Value *limitTF32(Operation &op, Value *bits) {
  Builder &ir = op.ir;
  Value *size = ir.CreateAnd(bits, 0x7fffffff);
  Value *infinity = ir.getInt32(0x7f800000);
  Value *isNumber = ir.CreateICmpULE(size, infinity);
  Value *sign = ir.CreateAnd(bits, 0x80000000);
  if (op.has("satfinite"))
    bits = ir.CreateSelect(ir.CreateICmpEQ(size, infinity),
                           ir.CreateOr(sign, 0x7f7fe000), bits);
  if (op.has("relu"))
    bits = ir.CreateSelect(ir.CreateICmpNE(sign, ir.getInt32(0)),
                           ir.getInt32(0), bits);
  if (op.has("satfinite") || op.has("relu"))
    bits = ir.CreateSelect(isNumber, bits, ir.getInt32(0x7fffffff));
  return bits;
}

Value *build::convertToTF32(Operation &op) {
  Builder &ir = op.ir;
  Value *bits = op.function.asBits(op[0]);
  Value *half = ir.getInt32(op.has("rz") ? 0 : 0x1000);
  if (op.has("rn"))
    half = ir.CreateAdd(ir.getInt32(0xfff),
                        ir.CreateAnd(ir.CreateLShr(bits, ir.getInt32(13)), 1));
  Value *rounded = ir.CreateAnd(ir.CreateAdd(bits, half), ~uint64_t(0x1fff));
  Value *exponent = ir.CreateAnd(bits, 0x7f800000);
  Value *isSpecial = ir.CreateICmpEQ(exponent, ir.getInt32(0x7f800000));
  Value *result = ir.CreateSelect(isSpecial, bits, rounded);
  return limitTF32(op, result);
}

/// `cvt.pack`: both numbers, saturated, below those of a third operand, the
/// second one lowest.
Value *build::packIntegers(Operation &op) {
  Builder &ir = op.ir;
  // Those of less than a byte are words of their own, not types.
  StringRef small = op.match.modifiers.back();
  bool isSmall = small != "pack" && small != "sat";
  unsigned bits = isSmall ? small.back() - '0' : op.type().bits;
  bool isSigned = isSmall ? small.starts_with("s") : op.isSigned();
  APInt least =
      isSigned ? APInt::getSignedMinValue(bits).sext(32) : APInt(32, 0);
  APInt most = isSigned ? APInt::getSignedMaxValue(bits).zext(32)
                        : APInt::getMaxValue(bits).zext(32);
  auto part = [&](unsigned index) {
    Value *number =
        ir.CreateBinaryIntrinsic(Intrinsic::smax, op[index], ir.getInt(least));
    number = ir.CreateBinaryIntrinsic(Intrinsic::smin, number, ir.getInt(most));
    return ir.CreateAnd(number, ir.getInt(APInt::getLowBitsSet(32, bits)));
  };
  Value *pair = ir.CreateOr(ir.CreateShl(part(0), bits), part(1));
  return op.in.size() == 2 ? pair
                           : ir.CreateOr(ir.CreateShl(op[2], 2 * bits), pair);
}

//===----------------------------------------------------------------------===//
// mov and addresses
//===----------------------------------------------------------------------===//

/// `{a, b}` is the word whose lowest part is a.
static Value *readParts(Operation &op, const Operand &operand,
                        RegisterType type) {
  Builder &ir = op.ir;
  unsigned bits = type.bits / operand.parts.size();
  Value *word = ir.getIntN(type.bits, 0);
  for (auto [index, part] : enumerate(operand.parts)) {
    Value *value = op.function.read(part, {RegisterType::Kind::Bits, bits});
    if (!value)
      return nullptr;
    value = ir.CreateZExt(op.function.asBits(value), word->getType());
    word = ir.CreateOr(
        word,
        ir.CreateShl(value, ConstantInt::get(word->getType(), index * bits)));
  }
  return word;
}

static bool writeParts(Operation &op, const Operand &operand, Value *word) {
  Builder &ir = op.ir;
  unsigned bits = word->getType()->getIntegerBitWidth() / operand.parts.size();
  for (auto [index, part] : enumerate(operand.parts)) {
    Value *value = ir.CreateTrunc(
        ir.CreateLShr(word, ConstantInt::get(word->getType(), index * bits)),
        ir.getIntNTy(bits));
    if (!op.function.write(part, value, {RegisterType::Kind::Bits, bits}))
      return false;
  }
  return true;
}

static bool hasParts(const Operand &operand) {
  return operand.kind == Operand::Kind::Vector;
}

bool build::move(Operation &op) {
  const Operand &to = op.operand(0), &from = op.operand(1);
  RegisterType type = op.type();
  for (const Operand *operand : {&to, &from})
    if (hasParts(*operand) &&
        ((operand->parts.size() != 2 && operand->parts.size() != 4) ||
         type.bits / operand->parts.size() < 8))
      return op.fail("a vector has two or four elements, of 8 bits at least");
  Value *value =
      hasParts(from) ? readParts(op, from, type) : op.function.read(from, type);
  if (!value)
    return false;
  if (hasParts(to))
    return writeParts(op, to, op.function.asBits(value));
  return op.function.write(to, value, type);
}

/// Addresses are the same in all state spaces here. That a parameter becomes
/// one of global memory tells that it is a pointer.
Value *build::convertAddress(Operation &op) {
  if (op.type().bits != 64 || !op.has("global"))
    return op[0];
  return markAddress(op.ir, op[0]);
}

bool build::isInSpace(Operation &op) {
  Value *address = op.read(1, kB64);
  if (!address)
    return false;
  StringRef space = op.has("global")            ? "global"
                    : op.has("local")           ? "local"
                    : op.has("shared::cluster") ? "shared.cluster"
                                                : "shared";
  Value *pointer = op.ir.CreateIntToPtr(address, op.ir.getPtrTy());
  Value *isThere = op.callNVVM(("isspacep." + space).str(), {pointer});
  return op.write(0, isThere, kPredicate);
}
