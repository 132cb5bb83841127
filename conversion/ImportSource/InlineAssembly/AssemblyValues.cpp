//===- AssemblyValues.cpp - instructions that compute ---------------------===//

#include "conversion/ImportSource/InlineAssembly/AssemblyBuilder.h"

#include "llvm/ADT/StringSwitch.h"

using namespace llvm;
using namespace gpuopt;

/// Of `add.f32` and its like, rounded to the nearest.
Value *AssemblyBuilder::buildFloat(const PTXInstruction &instruction,
                                   PTXType type) {
  StringRef name = instruction.opcode.front();
  if (!hasModifiers(instruction, {}) && !hasModifiers(instruction, {"rn"}))
    return nullptr;
  SmallVector<Value *, 3> in;
  for (PTXOperand operand : ArrayRef(instruction.operands).drop_front())
    in.push_back(read(operand, type));
  if (is_contained(in, nullptr))
    return nullptr;
  if (in.size() == 1)
    return name == "neg" ? builder.CreateFNeg(in[0])
           : name == "abs"
               ? builder.CreateUnaryIntrinsic(Intrinsic::fabs, in[0])
               : nullptr;
  if (in.size() == 3)
    return name == "fma"
               ? builder.CreateIntrinsic(in[0]->getType(), Intrinsic::fma, in)
               : nullptr;
  if (in.size() != 2)
    return nullptr;
  return name == "add"   ? builder.CreateFAdd(in[0], in[1])
         : name == "sub" ? builder.CreateFSub(in[0], in[1])
         : name == "mul" ? builder.CreateFMul(in[0], in[1])
         : name == "min" ? builder.CreateMinNum(in[0], in[1])
         : name == "max" ? builder.CreateMaxNum(in[0], in[1])
                         : nullptr;
}

/// Of `mul.hi`, `mul.wide` and of the `mad` with these: the upper half of the
/// whole product, or all of it.
Value *AssemblyBuilder::buildWideProduct(const PTXInstruction &instruction,
                                         PTXType type, Value *left,
                                         Value *right) {
  Type *wide = builder.getIntNTy(2 * type.bits);
  Value *product =
      builder.CreateMul(builder.CreateIntCast(left, wide, type.isSigned()),
                        builder.CreateIntCast(right, wide, type.isSigned()));
  if (modifiers(instruction).front() == "wide")
    return type.bits < 64 ? product : nullptr;
  return builder.CreateTrunc(builder.CreateLShr(product, type.bits),
                             left->getType());
}

/// Nothing, or the sign, is left of what all bits are shifted out of.
Value *AssemblyBuilder::shift(Value *value, Value *amount, bool isLeft,
                              bool isSigned) {
  Type *type = value->getType();
  Value *bits = builder.getInt32(type->getIntegerBitWidth());
  Value *isAll = builder.CreateICmpUGE(amount, bits);
  Value *some = builder.CreateIntCast(
      builder.CreateSelect(isAll, builder.CreateSub(bits, builder.getInt32(1)),
                           amount),
      type, /*isSigned=*/false);
  if (!isLeft && isSigned)
    return builder.CreateAShr(value, some);
  return builder.CreateSelect(isAll, Constant::getNullValue(type),
                              isLeft ? builder.CreateShl(value, some)
                                     : builder.CreateLShr(value, some));
}

/// Integers of any sign, and predicates, that take and give one type.
Value *AssemblyBuilder::buildInteger(const PTXInstruction &instruction,
                                     PTXType type) {
  StringRef name = instruction.opcode.front();
  SmallVector<Value *, 3> in;
  for (auto [index, operand] :
       enumerate(ArrayRef(instruction.operands).drop_front())) {
    // Amounts of shifts have 32 bits, sums of whole products twice as many.
    PTXType own = type;
    if (index == 1 && (name == "shl" || name == "shr"))
      own = {'u', 32};
    if (index == 2 && name == "mad" && hasModifiers(instruction, {"wide"}))
      own.bits *= 2;
    in.push_back(read(operand, own));
  }
  if (in.empty() || is_contained(in, nullptr))
    return nullptr;
  bool isProduct = name == "mul" || name == "mad";
  if (!hasModifiers(instruction, {}) &&
      !(isProduct && (hasModifiers(instruction, {"lo"}) ||
                      hasModifiers(instruction, {"hi"}) ||
                      hasModifiers(instruction, {"wide"}))))
    return nullptr;
  if (isProduct) {
    if (in.size() != (name == "mul" ? 2 : 3) || modifiers(instruction).empty())
      return nullptr;
    Value *product = hasModifiers(instruction, {"lo"})
                         ? builder.CreateMul(in[0], in[1])
                         : buildWideProduct(instruction, type, in[0], in[1]);
    return product && in.size() == 3 ? builder.CreateAdd(product, in[2])
                                     : product;
  }
  if (in.size() == 1)
    return name == "not"   ? builder.CreateNot(in[0])
           : name == "neg" ? builder.CreateNeg(in[0])
           : name == "brev"
               ? builder.CreateUnaryIntrinsic(Intrinsic::bitreverse, in[0])
           : name == "abs" ? builder.CreateBinaryIntrinsic(
                                 Intrinsic::abs, in[0], builder.getFalse())
                           : nullptr;
  if (in.size() != 2)
    return nullptr;
  if (name == "shl" || name == "shr")
    return shift(in[0], in[1], name == "shl", type.isSigned());
  auto minimum = type.isSigned() ? Intrinsic::smin : Intrinsic::umin;
  auto maximum = type.isSigned() ? Intrinsic::smax : Intrinsic::umax;
  return name == "add"   ? builder.CreateAdd(in[0], in[1])
         : name == "sub" ? builder.CreateSub(in[0], in[1])
         : name == "and" ? builder.CreateAnd(in[0], in[1])
         : name == "or"  ? builder.CreateOr(in[0], in[1])
         : name == "xor" ? builder.CreateXor(in[0], in[1])
         : name == "min" ? builder.CreateBinaryIntrinsic(minimum, in[0], in[1])
         : name == "max" ? builder.CreateBinaryIntrinsic(maximum, in[0], in[1])
                         : nullptr;
}

/// `bfe` without a sign and `bfi`: position and length are bytes, of which the
/// field's part inside the word counts.
Value *AssemblyBuilder::buildBitField(const PTXInstruction &instruction,
                                      PTXType type) {
  bool inserts = instruction.opcode.front() == "bfi";
  size_t count = inserts ? 4 : 3;
  if (instruction.operands.size() != count + 1 || type.isSigned() ||
      !hasModifiers(instruction, {}))
    return nullptr;
  Value *source = read(instruction.operands[1], type);
  Value *target = inserts ? read(instruction.operands[2], type) : source;
  Value *position = read(instruction.operands[count - 1], {'u', 32});
  Value *length = read(instruction.operands[count], {'u', 32});
  if (!source || !target || !position || !length)
    return nullptr;
  Value *byte = builder.getInt32(0xff);
  position = builder.CreateAnd(position, byte);
  Value *field = lowBits(source->getType(), builder.CreateAnd(length, byte));
  if (!inserts)
    return builder.CreateAnd(shift(source, position, /*isLeft=*/false), field);
  Value *mask = shift(field, position, /*isLeft=*/true);
  return builder.CreateOr(
      builder.CreateAnd(shift(source, position, /*isLeft=*/true), mask),
      builder.CreateAnd(target, builder.CreateNot(mask)));
}

/// As many ones as `count` says.
Value *AssemblyBuilder::lowBits(Type *type, Value *count) {
  Value *ones = Constant::getAllOnesValue(type);
  return builder.CreateNot(shift(ones, count, /*isLeft=*/true));
}

/// `bmsk.clamp.b32 d, position, length`.
Value *AssemblyBuilder::buildMask(const PTXInstruction &instruction,
                                  PTXType type) {
  if (instruction.operands.size() != 3 || type.bits != 32 ||
      !hasModifiers(instruction, {"clamp"}))
    return nullptr;
  Value *position = read(instruction.operands[1], type);
  Value *length = read(instruction.operands[2], type);
  return position && length ? shift(lowBits(position->getType(), length),
                                    position, /*isLeft=*/true)
                            : nullptr;
}

/// `setp.lt.s32 p, a, b`.
Value *AssemblyBuilder::buildComparison(const PTXInstruction &instruction,
                                        PTXType type) {
  if (instruction.operands.size() != 3 || modifiers(instruction).size() != 1)
    return nullptr;
  Value *left = read(instruction.operands[1], type);
  Value *right = read(instruction.operands[2], type);
  if (!left || !right)
    return nullptr;
  StringRef name = modifiers(instruction).front();
  using Predicate = CmpInst::Predicate;
  auto choose = [&](Predicate ofSigned, Predicate ofUnsigned,
                    Predicate ofFloat) {
    return type.isFloat() ? ofFloat : type.isSigned() ? ofSigned : ofUnsigned;
  };
  Predicate predicate =
      StringSwitch<Predicate>(name)
          .Case("eq",
                choose(CmpInst::ICMP_EQ, CmpInst::ICMP_EQ, CmpInst::FCMP_OEQ))
          .Case("ne",
                choose(CmpInst::ICMP_NE, CmpInst::ICMP_NE, CmpInst::FCMP_ONE))
          .Case("lt",
                choose(CmpInst::ICMP_SLT, CmpInst::ICMP_ULT, CmpInst::FCMP_OLT))
          .Case("le",
                choose(CmpInst::ICMP_SLE, CmpInst::ICMP_ULE, CmpInst::FCMP_OLE))
          .Case("gt",
                choose(CmpInst::ICMP_SGT, CmpInst::ICMP_UGT, CmpInst::FCMP_OGT))
          .Case("ge",
                choose(CmpInst::ICMP_SGE, CmpInst::ICMP_UGE, CmpInst::FCMP_OGE))
          .Default(CmpInst::BAD_ICMP_PREDICATE);
  return predicate == CmpInst::BAD_ICMP_PREDICATE
             ? nullptr
             : builder.CreateCmp(predicate, left, right);
}

/// Between integers: `cvt.u64.u32`.
Value *AssemblyBuilder::buildConversion(const PTXInstruction &instruction) {
  if (instruction.opcode.size() != 3 || instruction.operands.size() != 2)
    return nullptr;
  std::optional<PTXType> to = typeOf(instruction.opcode[1]);
  std::optional<PTXType> from = typeOf(instruction.opcode[2]);
  if (!to || !from || to->isFloat() || from->isFloat())
    return nullptr;
  Value *value = read(instruction.operands[1], *from);
  return value ? builder.CreateIntCast(value, builder.getIntNTy(to->bits),
                                       from->isSigned())
               : nullptr;
}

/// `lop3.b32 d, a, b, c, table`: bit n of the table is the result where a, b
/// and c have the bits of n.
Value *AssemblyBuilder::buildLookup(const PTXInstruction &instruction) {
  if (instruction.operands.size() != 5 || instruction.opcode.back() != "b32" ||
      !hasModifiers(instruction, {}))
    return nullptr;
  std::array<Value *, 3> in;
  for (unsigned i = 0; i < 3; ++i)
    if (!(in[i] = read(instruction.operands[i + 1], {'b', 32})))
      return nullptr;
  auto *constant =
      dyn_cast_or_null<ConstantInt>(read(instruction.operands[4], {'b', 32}));
  if (!constant || constant->getZExtValue() > 0xff)
    return nullptr;
  unsigned table = constant->getZExtValue();
  Value *result = builder.getInt32(0);
  for (unsigned row = 0; row < 8; ++row) {
    if (!(table >> row & 1))
      continue;
    Value *term = builder.getInt32(-1);
    for (unsigned i = 0; i < 3; ++i)
      term = builder.CreateAnd(
          term, row >> (2 - i) & 1 ? in[i] : builder.CreateNot(in[i]));
    result = builder.CreateOr(result, term);
  }
  return result;
}

Value *AssemblyBuilder::buildValue(const PTXInstruction &instruction) {
  StringRef name = instruction.opcode.front();
  if (name == "cvt")
    return buildConversion(instruction);
  if (name == "vote")
    return buildVote(instruction);
  std::optional<PTXType> type = typeOf(instruction);
  if (!type || instruction.operands.empty())
    return nullptr;
  if (name == "activemask")
    return !hasPTXLanes
               ? nullptr
               : builder.CreateTrunc(
                     callDevice("active_mask", builder.getInt64Ty(), {}),
                     builder.getInt32Ty());
  if (name == "setp")
    return buildComparison(instruction, *type);
  if (name == "lop3")
    return buildLookup(instruction);
  if (name == "bfe" || name == "bfi")
    return buildBitField(instruction, *type);
  if (name == "bmsk")
    return buildMask(instruction, *type);
  if (name == "mov" && instruction.operands.size() == 2 &&
      hasModifiers(instruction, {}))
    return readParts(instruction.operands[1], *type);
  if (name == "selp" && instruction.operands.size() == 4) {
    Value *first = read(instruction.operands[1], *type);
    Value *second = read(instruction.operands[2], *type);
    Value *predicate = read(instruction.operands[3], {'b', 1});
    return first && second && predicate
               ? builder.CreateSelect(predicate, first, second)
               : nullptr;
  }
  if (type->isFloat())
    return buildFloat(instruction, *type);
  if ((name == "popc" || name == "clz") && instruction.operands.size() == 2) {
    Value *value = read(instruction.operands[1], *type);
    if (!value)
      return nullptr;
    Value *count = name == "popc"
                       ? builder.CreateUnaryIntrinsic(Intrinsic::ctpop, value)
                       : builder.CreateBinaryIntrinsic(Intrinsic::ctlz, value,
                                                       builder.getFalse());
    return builder.CreateIntCast(count, builder.getInt32Ty(),
                                 /*isSigned=*/false);
  }
  return buildInteger(instruction, *type);
}
