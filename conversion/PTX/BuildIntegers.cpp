//===- BuildIntegers.cpp - arithmetic of integers -------------------------===//
//
// All of it wraps: none of LLVM's promises (`nsw`, `nuw`) is made.
//
//===----------------------------------------------------------------------===//

#include "conversion/PTX/Builders.h"
#include "conversion/PTX/Divisions.h"

#include "llvm/IR/Intrinsics.h"

using namespace llvm;
using namespace gpuopt;
using namespace gpuopt::ptx;

static Value *extend(Builder &ir, Value *value, unsigned bits, bool isSigned) {
  llvm::Type *type = ir.getIntNTy(bits);
  return isSigned ? ir.CreateSExt(value, type) : ir.CreateZExt(value, type);
}

static Value *wideProduct(Builder &ir, Value *left, Value *right,
                          bool isSigned) {
  unsigned bits = left->getType()->getIntegerBitWidth();
  return ir.CreateMul(extend(ir, left, 2 * bits, isSigned),
                      extend(ir, right, 2 * bits, isSigned));
}

/// `.lo` or `.hi`.
static Value *halfProduct(Operation &op, Value *left, Value *right) {
  if (!op.has("hi"))
    return op.ir.CreateMul(left, right);
  unsigned bits = left->getType()->getIntegerBitWidth();
  Value *product = wideProduct(op.ir, left, right, op.isSigned());
  return op.ir.CreateTrunc(
      op.ir.CreateLShr(product, ConstantInt::get(product->getType(), bits)),
      left->getType());
}

Value *build::addIntegers(Operation &op) {
  return op.has("sat")
             ? op.ir.CreateBinaryIntrinsic(Intrinsic::sadd_sat, op[0], op[1])
             : op.ir.CreateAdd(op[0], op[1]);
}

Value *build::subtractIntegers(Operation &op) {
  return op.has("sat")
             ? op.ir.CreateBinaryIntrinsic(Intrinsic::ssub_sat, op[0], op[1])
             : op.ir.CreateSub(op[0], op[1]);
}

/// Two halves by themselves.
static Value *byHalves(Builder &ir, Value *left, Value *right,
                       function_ref<Value *(Value *, Value *)> combine) {
  auto *pair = FixedVectorType::get(ir.getInt16Ty(), 2);
  Value *result =
      combine(ir.CreateBitCast(left, pair), ir.CreateBitCast(right, pair));
  return ir.CreateBitCast(result, left->getType());
}

Value *build::addPairs(Operation &op) {
  return byHalves(op.ir, op[0], op[1], [&](Value *left, Value *right) {
    return op.ir.CreateAdd(left, right);
  });
}

//===----------------------------------------------------------------------===//
// Carries
//===----------------------------------------------------------------------===//

/// `left` ± `right` ± the carry where `usesCarry`; the new carry goes to the
/// flag with `.cc`.
static Value *withCarry(Operation &op, Value *left, Value *right,
                        bool usesCarry, Intrinsic::ID overflowing) {
  Builder &ir = op.ir;
  Value *first = ir.CreateBinaryIntrinsic(overflowing, left, right);
  Value *result = ir.CreateExtractValue(first, 0);
  Value *carry = ir.CreateExtractValue(first, 1);
  Value *flag = op.function.carry();
  if (usesCarry) {
    Value *incoming =
        ir.CreateZExt(ir.CreateLoad(ir.getInt1Ty(), flag), result->getType());
    Value *second = ir.CreateBinaryIntrinsic(overflowing, result, incoming);
    result = ir.CreateExtractValue(second, 0);
    carry = ir.CreateOr(carry, ir.CreateExtractValue(second, 1));
  }
  if (op.has("cc"))
    ir.CreateStore(carry, flag);
  return result;
}

static bool usesCarry(Operation &op) {
  return op.match.rule->name.ends_with("c");
}

Value *build::addWithCarry(Operation &op) {
  return withCarry(op, op[0], op[1], usesCarry(op),
                   Intrinsic::uadd_with_overflow);
}

/// The flag holds the borrow.
Value *build::subtractWithBorrow(Operation &op) {
  return withCarry(op, op[0], op[1], usesCarry(op),
                   Intrinsic::usub_with_overflow);
}

Value *build::multiplyAddWithCarry(Operation &op) {
  return withCarry(op, halfProduct(op, op[0], op[1]), op[2], usesCarry(op),
                   Intrinsic::uadd_with_overflow);
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

Value *build::multiplyIntegers(Operation &op) {
  return halfProduct(op, op[0], op[1]);
}

Value *build::multiplyAddIntegers(Operation &op) {
  Value *product = halfProduct(op, op[0], op[1]);
  if (!op.has("sat"))
    return op.ir.CreateAdd(product, op[2]);
  if (op.type().bits != 32 || !op.isSigned())
    return op.fail("only s32 saturates");
  return op.ir.CreateBinaryIntrinsic(Intrinsic::sadd_sat, product, op[2]);
}

Value *build::multiplyWide(Operation &op) {
  Value *product = wideProduct(op.ir, op[0], op[1], op.isSigned());
  return op.in.size() == 3 ? op.ir.CreateAdd(product, op[2]) : product;
}

/// Of the lower 24 bits of each: the lower or the higher 32 of the 48 bits of
/// the product.
Value *build::multiply24(Operation &op) {
  Builder &ir = op.ir;
  auto low = [&](Value *value) {
    Value *part = ir.CreateTrunc(value, ir.getIntNTy(24));
    return extend(ir, part, 64, op.isSigned());
  };
  Value *product = ir.CreateMul(low(op[0]), low(op[1]));
  if (op.has("hi"))
    product = ir.CreateLShr(product, ir.getInt64(16));
  product = ir.CreateTrunc(product, ir.getInt32Ty());
  if (op.in.size() == 2)
    return product;
  if (!op.has("sat"))
    return ir.CreateAdd(product, op[2]);
  if (!op.has("hi") || !op.isSigned())
    return op.fail("only hi.s32 saturates");
  return ir.CreateBinaryIntrinsic(Intrinsic::sadd_sat, product, op[2]);
}

/// `c + |a - b|`
Value *build::sumOfDifference(Operation &op) {
  Builder &ir = op.ir;
  Value *isLess = op.isSigned() ? ir.CreateICmpSLT(op[0], op[1])
                                : ir.CreateICmpULT(op[0], op[1]);
  Value *difference = ir.CreateSelect(isLess, ir.CreateSub(op[1], op[0]),
                                      ir.CreateSub(op[0], op[1]));
  return ir.CreateAdd(op[2], difference);
}

/// Bytes, and in `dp2a` halves of the first operand with the lower or the
/// higher bytes of the second.
Value *build::dotProduct(Operation &op) {
  Builder &ir = op.ir;
  bool isDp2a = op.match.rule->name == "dp2a";
  unsigned count = isDp2a ? 2 : 4, bits = isDp2a ? 16 : 8;
  auto part = [&](Value *word, unsigned at, unsigned width, bool isSigned) {
    Value *bitsOf = ir.CreateTrunc(ir.CreateLShr(word, ir.getInt32(at)),
                                   ir.getIntNTy(width));
    return extend(ir, bitsOf, 32, isSigned);
  };
  bool isAnySigned = op.isSigned(0) || op.isSigned(1);
  Value *sum = op.read(3, {isAnySigned ? RegisterType::Kind::Signed
                                       : RegisterType::Kind::Unsigned,
                           32});
  if (!sum)
    return nullptr;
  for (unsigned i = 0; i < count; ++i) {
    unsigned at = 8 * (i + (op.has("hi") ? 2 : 0));
    sum = ir.CreateAdd(sum,
                       ir.CreateMul(part(op[0], i * bits, bits, op.isSigned(0)),
                                    part(op[1], at, 8, op.isSigned(1))));
  }
  return sum;
}

/// Each of `count` parts of a word as a number of 32 bits.
static SmallVector<Value *, 4> partsOf(Builder &ir, Value *word, unsigned count,
                                       bool isSigned) {
  SmallVector<Value *, 4> parts;
  unsigned bits = 32 / count;
  for (unsigned index = 0; index < count; ++index)
    parts.push_back(
        extend(ir,
               ir.CreateTrunc(ir.CreateLShr(word, ir.getInt32(bits * index)),
                              ir.getIntNTy(bits)),
               32, isSigned));
  return parts;
}

/// The distances of four pairs of bytes, or of two of halves: their sum on top
/// of the last operand, or the low bits of each.
Value *build::differencesOfParts(Operation &op) {
  Builder &ir = op.ir;
  bool isSum = op.has("add");
  unsigned count = op.match.rule->name == "vabsdiff2" ? 2 : 4;
  unsigned bits = 32 / count;
  Value *result = isSum ? op[2] : ir.getInt32(0);
  auto left = partsOf(ir, op[0], count, op.isSigned(1));
  auto right = partsOf(ir, op[1], count, op.isSigned(2));
  for (unsigned i = 0; i < count; ++i) {
    Value *distance = ir.CreateBinaryIntrinsic(
        Intrinsic::abs, ir.CreateSub(left[i], right[i]), ir.getFalse());
    if (!isSum)
      distance =
          ir.CreateShl(ir.CreateAnd(distance, ir.getInt32((1u << bits) - 1)),
                       ir.getInt32(bits * i));
    result = ir.CreateAdd(result, distance);
  }
  return result;
}

//===----------------------------------------------------------------------===//
// The rest
//===----------------------------------------------------------------------===//

Value *build::divideIntegers(Operation &op) {
  bool isQuotient = op.match.rule->name == "div";
  auto opcode = op.isSigned()
                    ? isQuotient ? Instruction::SDiv : Instruction::SRem
                : isQuotient ? Instruction::UDiv
                             : Instruction::URem;
  return createDivision(op.ir, opcode, op[0], op[1]);
}

Value *build::absoluteInteger(Operation &op) {
  return op.ir.CreateBinaryIntrinsic(Intrinsic::abs, op[0], op.ir.getFalse());
}

Value *build::negateInteger(Operation &op) { return op.ir.CreateNeg(op[0]); }

static Value *extreme(Operation &op, Value *left, Value *right) {
  bool isMin = op.match.rule->name == "min";
  Intrinsic::ID id = op.isSigned() ? isMin ? Intrinsic::smin : Intrinsic::smax
                     : isMin       ? Intrinsic::umin
                                   : Intrinsic::umax;
  Value *result = op.ir.CreateBinaryIntrinsic(id, left, right);
  if (op.has("relu"))
    result = op.ir.CreateBinaryIntrinsic(
        Intrinsic::smax, result, Constant::getNullValue(result->getType()));
  return result;
}

Value *build::extremeInteger(Operation &op) {
  if (op.has("relu") && !(op.isSigned() && op.type().bits == 32))
    return op.fail("only s32 and s16x2 have '.relu'");
  return extreme(op, op[0], op[1]);
}

Value *build::extremePair(Operation &op) {
  if (op.has("relu") && !op.isSigned())
    return op.fail("only s32 and s16x2 have '.relu'");
  return byHalves(op.ir, op[0], op[1], [&](Value *left, Value *right) {
    return extreme(op, left, right);
  });
}
