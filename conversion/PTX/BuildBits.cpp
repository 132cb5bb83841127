//===- BuildBits.cpp - shifts, fields, bytes ------------------------------===//

#include "conversion/PTX/Builders.h"

#include "llvm/IR/Intrinsics.h"

#include <array>

using namespace llvm;
using namespace gpuopt;
using namespace gpuopt::ptx;

/// Amounts are unsigned numbers of 32 bits; more than all bits are all.
Value *build::shiftBits(Builder &ir, Value *value, Value *amount, bool isLeft,
                        bool isSigned) {
  llvm::Type *type = value->getType();
  Value *bits = ir.getInt32(type->getIntegerBitWidth());
  Value *isAll = ir.CreateICmpUGE(amount, bits);
  Value *most = ir.CreateSelect(
      isAll, ir.getInt32(type->getIntegerBitWidth() - 1), amount);
  Value *some = ir.CreateZExtOrTrunc(most, type);
  if (!isLeft && isSigned)
    return ir.CreateAShr(value, some);
  return ir.CreateSelect(isAll, Constant::getNullValue(type),
                         isLeft ? ir.CreateShl(value, some)
                                : ir.CreateLShr(value, some));
}

/// As many ones as `count` says, from bit 0 on.
static Value *lowBits(Builder &ir, llvm::Type *type, Value *count) {
  return ir.CreateNot(build::shiftBits(ir, Constant::getAllOnesValue(type),
                                       count, /*isLeft=*/true));
}

Value *build::combineBits(Operation &op) {
  StringRef name = op.match.rule->name;
  return name == "and"  ? op.ir.CreateAnd(op[0], op[1])
         : name == "or" ? op.ir.CreateOr(op[0], op[1])
                        : op.ir.CreateXor(op[0], op[1]);
}

Value *build::invertBits(Operation &op) { return op.ir.CreateNot(op[0]); }

Value *build::isZero(Operation &op) {
  return op.ir.CreateZExt(op.ir.CreateIsNull(op[0]), op[0]->getType());
}

Value *build::shiftLeft(Operation &op) {
  return shiftBits(op.ir, op[0], op[1], /*isLeft=*/true);
}

Value *build::shiftRight(Operation &op) {
  return shiftBits(op.ir, op[0], op[1], /*isLeft=*/false, op.isSigned());
}

/// The first operand has the lower bits of 64.
Value *build::funnelShift(Operation &op) {
  Builder &ir = op.ir;
  Value *amount = op[2];
  if (op.has("wrap"))
    amount = ir.CreateAnd(amount, 31);
  else
    amount = ir.CreateBinaryIntrinsic(Intrinsic::umin, amount, ir.getInt32(32));
  llvm::Type *i64 = ir.getInt64Ty();
  Value *both =
      ir.CreateOr(ir.CreateShl(ir.CreateZExt(op[1], i64), ir.getInt64(32)),
                  ir.CreateZExt(op[0], i64));
  Value *wide = ir.CreateZExt(amount, i64);
  Value *shifted =
      op.has("l") ? ir.CreateLShr(ir.CreateShl(both, wide), ir.getInt64(32))
                  : ir.CreateLShr(both, wide);
  return ir.CreateTrunc(shifted, ir.getInt32Ty());
}

/// Bit n of the table is the result where a, b and c have the bits of n.
Value *build::lookUpBits(Operation &op) {
  Builder &ir = op.ir;
  auto *table = dyn_cast<ConstantInt>(op[3]);
  if (!table || table->getZExtValue() > 0xff)
    return op.fail("expected a table of 8 bits");
  Value *result = ir.getInt32(0);
  for (unsigned row = 0; row < 8; ++row) {
    if (!(table->getZExtValue() >> row & 1))
      continue;
    Value *term = ir.getInt32(-1);
    for (unsigned i = 0; i < 3; ++i)
      term =
          ir.CreateAnd(term, row >> (2 - i) & 1 ? op[i] : ir.CreateNot(op[i]));
    result = ir.CreateOr(result, term);
  }
  return result;
}

/// `d|p`: p says whether any bit of d is set, and one more thing.
bool build::lookUpAndTest(Operation &op) {
  const Operand &target = op.operand(0);
  if (target.kind != Operand::Kind::Pair)
    return op.fail("it has a predicate as its second result");
  Value *bits = lookUpBits(op);
  if (!bits)
    return false;
  Value *holds = op.ir.CreateIsNotNull(bits);
  holds = op.has("and") ? op.ir.CreateAnd(holds, op[4])
                        : op.ir.CreateOr(holds, op[4]);
  return op.function.write(target.parts[0], bits, kB32) &&
         op.function.write(target.parts[1], holds, kPredicate);
}

/// The position of the nth one from bit `base` on, upwards, or downwards where
/// n is negative; for n = 0 `base`, if that bit is one. All ones if there is
/// none.
Value *build::findNthOne(Operation &op) {
  Builder &ir = op.ir;
  Value *base = op[1], *offset = op[2], *none = ir.getInt32(-1);
  Value *isDown = ir.CreateICmpSLT(offset, ir.getInt32(0));
  Value *first =
      ir.CreateSelect(isDown, ir.CreateSub(ir.getInt32(31), base), base);
  Value *bits = ir.CreateSelect(
      isDown, ir.CreateUnaryIntrinsic(Intrinsic::bitreverse, op[0]), op[0]);
  bits = ir.CreateAnd(
      bits, shiftBits(ir, none, ir.CreateAnd(first, 31), /*isLeft=*/true));
  Value *isOne = ir.CreateIsNull(offset);
  Value *left = ir.CreateSelect(isDown, ir.CreateNeg(offset), offset);
  Value *found = none;
  for (unsigned at = 0; at < 32; ++at) {
    Value *bit = ir.CreateAnd(ir.CreateLShr(bits, at), 1);
    left = ir.CreateSub(left, bit);
    Value *isLast =
        ir.CreateAnd(ir.CreateIsNotNull(bit), ir.CreateIsNull(left));
    found = ir.CreateSelect(isLast, ir.getInt32(at), found);
  }
  Value *isFound = ir.CreateICmpNE(found, none);
  found = ir.CreateSelect(ir.CreateAnd(isDown, isFound),
                          ir.CreateSub(ir.getInt32(31), found), found);
  Value *atBase = ir.CreateIsNotNull(
      ir.CreateAnd(ir.CreateLShr(op[0], ir.CreateAnd(base, 31)), 1));
  found = ir.CreateSelect(isOne, ir.CreateSelect(atBase, base, none), found);
  return ir.CreateSelect(ir.CreateICmpULT(base, ir.getInt32(32)), found, none);
}

//===----------------------------------------------------------------------===//
// prmt
//===----------------------------------------------------------------------===//

/// Which bytes the modes take for each value of the lowest two bits of the
/// control.
static std::optional<std::array<uint16_t, 4>> permutations(Operation &op) {
  using Rows = std::array<uint16_t, 4>;
  if (op.has("f4e"))
    return Rows{0x3210, 0x4321, 0x5432, 0x6543};
  if (op.has("b4e"))
    return Rows{0x5670, 0x6701, 0x7012, 0x0123};
  if (op.has("rc8"))
    return Rows{0x0000, 0x1111, 0x2222, 0x3333};
  if (op.has("ecl"))
    return Rows{0x3210, 0x3211, 0x3222, 0x3333};
  if (op.has("ecr"))
    return Rows{0x0000, 0x1110, 0x2210, 0x3210};
  if (op.has("rc16"))
    return Rows{0x1010, 0x3232, 0x1010, 0x3232};
  return std::nullopt;
}

/// Each nibble of the control chooses a byte of both words, or eight times its
/// sign.
Value *build::permuteBytes(Operation &op) {
  Builder &ir = op.ir;
  Value *control = op[2];
  if (auto rows = permutations(op)) {
    Value *row = ir.CreateAnd(control, 3);
    control = ir.getInt32((*rows)[0]);
    for (unsigned i = 1; i < 4; ++i)
      control = ir.CreateSelect(ir.CreateICmpEQ(row, ir.getInt32(i)),
                                ir.getInt32((*rows)[i]), control);
  }
  llvm::Type *i64 = ir.getInt64Ty(), *i8 = ir.getInt8Ty();
  Value *both =
      ir.CreateOr(ir.CreateShl(ir.CreateZExt(op[1], i64), ir.getInt64(32)),
                  ir.CreateZExt(op[0], i64));
  Value *result = ir.getInt32(0);
  for (unsigned i = 0; i < 4; ++i) {
    Value *nibble = ir.CreateLShr(control, ir.getInt32(4 * i));
    Value *shift = ir.CreateShl(ir.CreateAnd(nibble, 7), ir.getInt32(3));
    Value *byte =
        ir.CreateTrunc(ir.CreateLShr(both, ir.CreateZExt(shift, i64)), i8);
    Value *takesSign = ir.CreateIsNotNull(ir.CreateAnd(nibble, 8));
    byte = ir.CreateSelect(takesSign, ir.CreateAShr(byte, ir.getInt8(7)), byte);
    result =
        ir.CreateOr(result, ir.CreateShl(ir.CreateZExt(byte, ir.getInt32Ty()),
                                         ir.getInt32(8 * i)));
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Fields
//===----------------------------------------------------------------------===//

/// Position and length are the lowest bytes of their operands. What lies
/// behind the word are copies of its sign, or zeros.
Value *build::extractField(Operation &op) {
  Builder &ir = op.ir;
  llvm::Type *type = op[0]->getType();
  Value *bits = ir.getInt32(type->getIntegerBitWidth());
  Value *position = ir.CreateAnd(op[1], 0xff);
  Value *length = ir.CreateAnd(op[2], 0xff);
  Value *field =
      shiftBits(ir, op[0], position, /*isLeft=*/false, op.isSigned());
  field = ir.CreateAnd(field, lowBits(ir, type, length));
  if (!op.isSigned())
    return field;
  // The highest bit of the field that is in the word is its sign.
  Value *last = ir.CreateSub(ir.CreateAdd(position, length), ir.getInt32(1));
  last = ir.CreateBinaryIntrinsic(Intrinsic::umin, last,
                                  ir.CreateSub(bits, ir.getInt32(1)));
  Value *sign = ir.CreateTrunc(shiftBits(ir, op[0], last, /*isLeft=*/false),
                               ir.getInt1Ty());
  Value *isEmpty = ir.CreateIsNull(length);
  sign = ir.CreateAnd(sign, ir.CreateNot(isEmpty));
  Value *above = ir.CreateNot(lowBits(ir, type, length));
  return ir.CreateOr(
      field, ir.CreateSelect(sign, above, Constant::getNullValue(type)));
}

/// `bfi d, what, into, position, length`
Value *build::insertField(Operation &op) {
  Builder &ir = op.ir;
  Value *position = ir.CreateAnd(op[2], 0xff);
  Value *length = ir.CreateAnd(op[3], 0xff);
  Value *mask = shiftBits(ir, lowBits(ir, op[0]->getType(), length), position,
                          /*isLeft=*/true);
  Value *moved = shiftBits(ir, op[0], position, /*isLeft=*/true);
  return ir.CreateOr(ir.CreateAnd(moved, mask),
                     ir.CreateAnd(op[1], ir.CreateNot(mask)));
}

Value *build::maskOfBits(Operation &op) {
  Builder &ir = op.ir;
  Value *position = op[0], *length = op[1];
  if (op.has("wrap")) {
    position = ir.CreateAnd(position, 31);
    length = ir.CreateAnd(length, 31);
  }
  return shiftBits(ir, lowBits(ir, ir.getInt32Ty(), length), position,
                   /*isLeft=*/true);
}

/// The lowest bits of a number, extended by their sign or by zeros.
Value *build::extendBits(Operation &op) {
  Builder &ir = op.ir;
  Value *length = op.has("wrap") ? ir.CreateAnd(op[1], 31) : op[1];
  Value *low = lowBits(ir, ir.getInt32Ty(), length);
  Value *kept = ir.CreateAnd(op[0], low);
  if (!op.isSigned())
    return kept;
  Value *last = ir.CreateBinaryIntrinsic(
      Intrinsic::umin, ir.CreateSub(length, ir.getInt32(1)), ir.getInt32(31));
  Value *sign = ir.CreateTrunc(ir.CreateLShr(op[0], last), ir.getInt1Ty());
  sign = ir.CreateAnd(sign, ir.CreateIsNotNull(length));
  return ir.CreateOr(kept,
                     ir.CreateSelect(sign, ir.CreateNot(low), ir.getInt32(0)));
}

//===----------------------------------------------------------------------===//
// Counts
//===----------------------------------------------------------------------===//

static Value *narrow(Builder &ir, Value *count) {
  return ir.CreateZExtOrTrunc(count, ir.getInt32Ty());
}

Value *build::countOnes(Operation &op) {
  return narrow(op.ir, op.ir.CreateUnaryIntrinsic(Intrinsic::ctpop, op[0]));
}

Value *build::countLeadingZeros(Operation &op) {
  return narrow(op.ir, op.ir.CreateBinaryIntrinsic(Intrinsic::ctlz, op[0],
                                                   op.ir.getFalse()));
}

/// The highest bit that is not the sign's, by its number or by how far it is
/// from the highest one; all ones where there is none.
Value *build::findLeadingBit(Operation &op) {
  Builder &ir = op.ir;
  Value *value = op[0];
  llvm::Type *type = value->getType();
  unsigned bits = type->getIntegerBitWidth();
  if (op.isSigned())
    value = ir.CreateXor(
        value, ir.CreateAShr(value, ConstantInt::get(type, bits - 1)));
  Value *zeros = narrow(
      ir, ir.CreateBinaryIntrinsic(Intrinsic::ctlz, value, ir.getFalse()));
  Value *found =
      op.has("shiftamt") ? zeros : ir.CreateSub(ir.getInt32(bits - 1), zeros);
  return ir.CreateSelect(ir.CreateIsNull(value), ir.getInt32(-1), found);
}

Value *build::reverseBits(Operation &op) {
  return op.ir.CreateUnaryIntrinsic(Intrinsic::bitreverse, op[0]);
}
