//===- BuildBytes.cpp - numbers of eight bits -----------------------------===//
//
// `cvt` between pairs of them (E4M3: four bits of exponent, no infinities;
// E5M2: five) and floats or halves. LLVM's intrinsics would ask for newer PTX
// than all else does, so the bits are computed.
//
//===----------------------------------------------------------------------===//

#include "conversion/PTX/Builders.h"

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
};
} // namespace

static constexpr unsigned notANumber = 0x7f;

static ByteFormat formatOf(const Operation &op) {
  return op.has("e4m3x2") ? ByteFormat{3, -6, 0x7e} : ByteFormat{2, -14, 0x7b};
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
  Value *sign =
      ir.CreateAnd(ir.CreateLShr(ir.CreateBitCast(value, i32), 24), 0x80);
  if (op.has("relu"))
    bits = ir.CreateSelect(ir.CreateIsNull(sign), bits, ir.getInt32(0));
  else
    bits = ir.CreateOr(bits, sign);
  return ir.CreateSelect(ir.CreateFCmpUNO(value, value),
                         ir.getInt32(notANumber), bits);
}

/// `cvt.rn.satfinite.e4m3x2.f32 d, upper, lower` or `.f16x2 d, pair`.
bool build::convertToBytes(Operation &op) {
  Builder &ir = op.ir;
  Value *upper = op[0], *lower = op[op.in.size() - 1];
  if (op.type().lanes == 2) {
    upper = ir.CreateExtractElement(op[0], uint64_t(1));
    lower = ir.CreateExtractElement(op[0], uint64_t(0));
  }
  auto convert = [&](Value *value) {
    return toByte(op, ir.CreateFPExt(value, ir.getFloatTy()), formatOf(op));
  };
  Value *pair = ir.CreateOr(ir.CreateShl(convert(upper), 8), convert(lower));
  return op.write(0, ir.CreateTrunc(pair, ir.getInt16Ty()), kB16);
}

/// A half with the fields of the byte has another bias: it is too small by a
/// power of two.
static Value *fromByte(Operation &op, Value *byte, const ByteFormat &format) {
  Builder &ir = op.ir;
  llvm::Type *half = ir.getHalfTy(), *i16 = ir.getInt16Ty();
  constexpr unsigned fractionOfHalf = 10;
  Value *magnitude = ir.CreateAnd(byte, 0x7f);
  Value *bits = ir.CreateShl(magnitude, fractionOfHalf - format.fractionBits);
  if (format.fractionBits == 3) {
    Value *scaled = ir.CreateFMul(ir.CreateBitCast(bits, half),
                                  ConstantFP::get(half, 256.0));
    bits = ir.CreateSelect(ir.CreateICmpEQ(magnitude, ir.getInt16(notANumber)),
                           ir.getInt16(0x7fff), ir.CreateBitCast(scaled, i16));
  }
  Value *isNegative = ir.CreateICmpNE(ir.CreateAnd(byte, 0x80), ir.getInt16(0));
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
  Value *pair = op.read(1, kB16);
  if (!pair)
    return false;
  Value *result = PoisonValue::get(FixedVectorType::get(ir.getHalfTy(), 2));
  for (unsigned lane : {0u, 1u}) {
    Value *byte = ir.CreateAnd(ir.CreateLShr(pair, 8 * lane), 0xff);
    result = ir.CreateInsertElement(result, fromByte(op, byte, formatOf(op)),
                                    uint64_t(lane));
  }
  return op.write(0, result, op.type());
}
