//===- BuildBytes.cpp - numbers of eight bits and less --------------------===//
//
// `cvt` between pairs of them (E4M3: four bits of exponent, no infinities;
// E5M2: five; E3M2, E2M3 and E2M1, which are all numbers; UE8M0: exponents
// alone) and floats or halves. LLVM's intrinsics would ask for newer PTX than
// all else does, so the bits are computed.
//
//===----------------------------------------------------------------------===//

#include "conversion/PTX/Builders.h"

#include <cmath>

using namespace llvm;
using namespace gpuopt;
using namespace gpuopt::ptx;

namespace {
struct ByteFormat {
  unsigned fractionBits;
  /// Of the smallest normal number.
  int leastExponent;
  /// The bits of the largest number.
  unsigned largest;
  /// The place of the sign.
  unsigned signBit = 7;

  /// Of four bits there are two in a byte.
  unsigned distance() const { return signBit == 3 ? 4 : 8; }
};
} // namespace

static constexpr unsigned notANumber = 0x7f;

static ByteFormat formatOf(const Operation &op) {
  return op.has("e4m3x2")   ? ByteFormat{3, -6, 0x7e}
         : op.has("e5m2x2") ? ByteFormat{2, -14, 0x7b}
         : op.has("e3m2x2") ? ByteFormat{2, -2, 0x1f, 5}
         : op.has("e2m3x2") ? ByteFormat{3, 0, 0x1f, 5}
                            : ByteFormat{1, 0, 0x7, 3};
}

/// The byte, an i32, that is nearest to a float; ends of the range for what is
/// beyond them.
static Value *toByte(Operation &op, Value *value, const ByteFormat &format) {
  Builder &ir = op.ir;
  llvm::Type *f32 = ir.getFloatTy(), *i32 = ir.getInt32Ty();
  constexpr unsigned fractionOfFloat = 23;
  constexpr int bias = 127;
  // Twice the largest number of all is beyond each.
  Value *magnitude = ir.CreateBinaryIntrinsic(
      Intrinsic::minnum, ir.CreateUnaryIntrinsic(Intrinsic::fabs, value),
      ConstantFP::get(f32, 131072.0));
  Value *exponent = ir.CreateSub(
      ir.CreateLShr(ir.CreateBitCast(magnitude, i32), fractionOfFloat),
      ir.getInt32(bias));
  Value *least = ConstantInt::getSigned(i32, format.leastExponent);
  exponent = ir.CreateBinaryIntrinsic(Intrinsic::smax, exponent, least);
  // In units of the last bit at this exponent.
  Value *scale = ir.CreateBitCast(
      ir.CreateShl(
          ir.CreateSub(ir.getInt32(bias + format.fractionBits), exponent),
          fractionOfFloat),
      f32);
  Value *units =
      ir.CreateFPToUI(ir.CreateUnaryIntrinsic(Intrinsic::roundeven,
                                              ir.CreateFMul(magnitude, scale)),
                      i32);
  // A fraction that is rounded up to the next power of two carries over.
  Value *bits = ir.CreateAdd(
      ir.CreateShl(ir.CreateSub(exponent, least), format.fractionBits), units);
  bits = ir.CreateBinaryIntrinsic(Intrinsic::umin, bits,
                                  ir.getInt32(format.largest));
  Value *sign = ir.CreateAnd(
      ir.CreateLShr(ir.CreateBitCast(value, i32), 31 - format.signBit),
      1 << format.signBit);
  if (op.has("relu"))
    bits = ir.CreateSelect(ir.CreateIsNull(sign), bits, ir.getInt32(0));
  else
    bits = ir.CreateOr(bits, sign);
  unsigned none = format.signBit == 7 ? notANumber : format.largest;
  return ir.CreateSelect(ir.CreateFCmpUNO(value, value), ir.getInt32(none),
                         bits);
}

/// The upper and the lower number of two operands, or of one with two lanes.
static std::pair<Value *, Value *> readPair(Operation &op) {
  if (op.type().lanes != 2)
    return {op[0], op[op.in.size() - 1]};
  return {op.ir.CreateExtractElement(op[0], uint64_t(1)),
          op.ir.CreateExtractElement(op[0], uint64_t(0))};
}

/// Writes two numbers, each an i32, of `bits` bits.
static bool writePair(Operation &op, Value *upper, Value *lower,
                      unsigned bits) {
  Builder &ir = op.ir;
  Value *pair = ir.CreateOr(ir.CreateShl(upper, bits), lower);
  return bits == 4 ? op.write(0, ir.CreateTrunc(pair, ir.getInt8Ty()), kB8)
                   : op.write(0, ir.CreateTrunc(pair, ir.getInt16Ty()), kB16);
}

/// `cvt.rn.satfinite.e4m3x2.f32 d, upper, lower` or `.f16x2 d, pair`.
bool build::convertToBytes(Operation &op) {
  Builder &ir = op.ir;
  auto [upper, lower] = readPair(op);
  auto convert = [&](Value *value) {
    return toByte(op, ir.CreateFPExt(value, ir.getFloatTy()), formatOf(op));
  };
  return writePair(op, convert(upper), convert(lower), formatOf(op).distance());
}

/// A half with the fields of the byte has another bias: it is too small by a
/// power of two.
static Value *fromByte(Operation &op, Value *byte, const ByteFormat &format) {
  Builder &ir = op.ir;
  llvm::Type *half = ir.getHalfTy(), *i16 = ir.getInt16Ty();
  constexpr unsigned fractionOfHalf = 10;
  unsigned sign = 1 << format.signBit;
  Value *magnitude = ir.CreateAnd(byte, sign - 1);
  Value *bits = ir.CreateShl(magnitude, fractionOfHalf - format.fractionBits);
  // Of halves the smallest normal number is 2^-14.
  double scale = std::ldexp(1.0, format.leastExponent + 14);
  if (scale != 1)
    bits = ir.CreateBitCast(ir.CreateFMul(ir.CreateBitCast(bits, half),
                                          ConstantFP::get(half, scale)),
                            i16);
  if (format.largest == 0x7e)
    bits = ir.CreateSelect(ir.CreateICmpEQ(magnitude, ir.getInt16(notANumber)),
                           ir.getInt16(0x7fff), bits);
  Value *isNegative = ir.CreateICmpNE(ir.CreateAnd(byte, sign), ir.getInt16(0));
  if (op.has("relu")) {
    // What is no number stays.
    Value *isNumber = ir.CreateICmpULE(bits, ir.getInt16(0x7c00));
    bits = ir.CreateSelect(ir.CreateAnd(isNegative, isNumber), ir.getInt16(0),
                           bits);
  } else {
    bits = ir.CreateOr(
        bits, ir.CreateSelect(isNegative, ir.getInt16(0x8000), ir.getInt16(0)));
  }
  return ir.CreateBitCast(bits, half);
}

/// `cvt.rn.f16x2.e4m3x2 d, a`.
bool build::convertFromBytes(Operation &op) {
  Builder &ir = op.ir;
  unsigned distance = formatOf(op).distance();
  Value *pair = op.read(1, distance == 4 ? kB8 : kB16);
  if (!pair)
    return false;
  pair = ir.CreateZExt(pair, ir.getInt16Ty());
  Value *result = PoisonValue::get(FixedVectorType::get(ir.getHalfTy(), 2));
  for (unsigned lane : {0u, 1u}) {
    Value *byte =
        ir.CreateAnd(ir.CreateLShr(pair, distance * lane), (1 << distance) - 1);
    result = ir.CreateInsertElement(result, fromByte(op, byte, formatOf(op)),
                                    uint64_t(lane));
  }
  return op.write(0, result, op.type());
}

/// The exponent of a float, as its bits have it, an i32: upwards where
/// something lies behind it, but not to the smallest number of all. The sign
/// does not matter.
static Value *toExponent(Operation &op, Value *value) {
  Builder &ir = op.ir;
  Value *magnitude =
      ir.CreateAnd(ir.CreateBitCast(value, ir.getInt32Ty()), 0x7fffffff);
  Value *exponent = ir.CreateLShr(magnitude, 23);
  Value *infinity = ir.getInt32(0x7f800000);
  if (op.has("rp")) {
    Value *isBetween = ir.CreateIsNotNull(ir.CreateAnd(magnitude, 0x007fffff));
    isBetween = ir.CreateAnd(
        isBetween, ir.CreateICmpUGT(magnitude, ir.getInt32(0x00400000)));
    isBetween = ir.CreateAnd(isBetween, ir.CreateICmpULT(magnitude, infinity));
    exponent =
        ir.CreateAdd(exponent, ir.CreateZExt(isBetween, ir.getInt32Ty()));
  }
  if (!op.has("satfinite"))
    return exponent;
  Value *isNumber = ir.CreateICmpULE(magnitude, infinity);
  Value *most =
      ir.CreateBinaryIntrinsic(Intrinsic::umin, exponent, ir.getInt32(0xfe));
  return ir.CreateSelect(isNumber, most, exponent);
}

/// `cvt.rp.ue8m0x2.f32 d, upper, lower` or `.bf16x2 d, pair`.
bool build::convertToExponents(Operation &op) {
  Builder &ir = op.ir;
  auto [upper, lower] = readPair(op);
  auto convert = [&](Value *value) {
    return toExponent(op, ir.CreateFPExt(value, ir.getFloatTy()));
  };
  return writePair(op, convert(upper), convert(lower), 8);
}

/// `cvt.rn.bf16x2.ue8m0x2 d, a`.
bool build::convertFromExponents(Operation &op) {
  Builder &ir = op.ir;
  Value *pair = op.read(1, kB16);
  if (!pair)
    return false;
  Value *result = PoisonValue::get(FixedVectorType::get(ir.getBFloatTy(), 2));
  for (unsigned lane : {0u, 1u}) {
    Value *byte = ir.CreateAnd(ir.CreateLShr(pair, 8 * lane), 0xff);
    Value *bits = ir.CreateShl(byte, 7);
    bits = ir.CreateSelect(ir.CreateIsNull(byte), ir.getInt16(0x0040), bits);
    bits = ir.CreateSelect(ir.CreateICmpEQ(byte, ir.getInt16(0xff)),
                           ir.getInt16(0x7fff), bits);
    result = ir.CreateInsertElement(
        result, ir.CreateBitCast(bits, ir.getBFloatTy()), uint64_t(lane));
  }
  return op.write(0, result, op.type());
}
