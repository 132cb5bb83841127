//===- BuildComparisons.cpp - comparisons and choices ---------------------===//

#include "conversion/PTX/Builders.h"

#include "llvm/ADT/StringSwitch.h"

using namespace llvm;
using namespace gpuopt;
using namespace gpuopt::ptx;

using Predicate = CmpInst::Predicate;

static StringRef relationOf(Operation &op) {
  for (StringRef modifier : op.match.modifiers)
    if (modifier != "and" && modifier != "or" && modifier != "xor" &&
        modifier != "ftz")
      return modifier;
  return "";
}

static Predicate ofFloats(StringRef relation) {
  return StringSwitch<Predicate>(relation)
      .Case("eq", CmpInst::FCMP_OEQ)
      .Case("ne", CmpInst::FCMP_ONE)
      .Case("lt", CmpInst::FCMP_OLT)
      .Case("le", CmpInst::FCMP_OLE)
      .Case("gt", CmpInst::FCMP_OGT)
      .Case("ge", CmpInst::FCMP_OGE)
      .Case("equ", CmpInst::FCMP_UEQ)
      .Case("neu", CmpInst::FCMP_UNE)
      .Case("ltu", CmpInst::FCMP_ULT)
      .Case("leu", CmpInst::FCMP_ULE)
      .Case("gtu", CmpInst::FCMP_UGT)
      .Case("geu", CmpInst::FCMP_UGE)
      .Case("num", CmpInst::FCMP_ORD)
      .Case("nan", CmpInst::FCMP_UNO)
      .Default(CmpInst::BAD_FCMP_PREDICATE);
}

static Predicate ofIntegers(StringRef relation, RegisterType type) {
  Predicate predicate = StringSwitch<Predicate>(relation)
                            .Case("eq", CmpInst::ICMP_EQ)
                            .Case("ne", CmpInst::ICMP_NE)
                            .Cases({"lt", "lo"}, CmpInst::ICMP_ULT)
                            .Cases({"le", "ls"}, CmpInst::ICMP_ULE)
                            .Cases({"gt", "hi"}, CmpInst::ICMP_UGT)
                            .Cases({"ge", "hs"}, CmpInst::ICMP_UGE)
                            .Default(CmpInst::BAD_ICMP_PREDICATE);
  bool isNamedUnsigned = relation == "lo" || relation == "ls" ||
                         relation == "hi" || relation == "hs";
  if (predicate == CmpInst::BAD_ICMP_PREDICATE ||
      CmpInst::isEquality(predicate))
    return predicate;
  // Bits have no order.
  if (type.kind == RegisterType::Kind::Bits ||
      (isNamedUnsigned && type.isSigned()))
    return CmpInst::BAD_ICMP_PREDICATE;
  return type.isSigned() ? ICmpInst::getSignedPredicate(predicate) : predicate;
}

Value *build::comparison(Operation &op, RegisterType type, Value *left,
                         Value *right) {
  StringRef relation = relationOf(op);
  if (type.isFloat() && op.has("ftz")) {
    left = flush(op.ir, left);
    right = flush(op.ir, right);
  }
  Predicate predicate =
      type.isFloat() ? ofFloats(relation) : ofIntegers(relation, type);
  if (predicate == CmpInst::BAD_ICMP_PREDICATE ||
      predicate == CmpInst::BAD_FCMP_PREDICATE)
    return op.fail("there is no such comparison of this type");
  return op.ir.CreateCmp(predicate, left, right);
}

/// With the predicate that follows, where there is one.
static Value *combine(Operation &op, Value *holds, Value *other) {
  return op.has("and")   ? op.ir.CreateAnd(holds, other)
         : op.has("or")  ? op.ir.CreateOr(holds, other)
         : op.has("xor") ? op.ir.CreateXor(holds, other)
                         : holds;
}

static bool lacksPredicate(Operation &op, unsigned sources) {
  bool combines = op.has("and") || op.has("or") || op.has("xor");
  return combines != (op.in.size() == sources);
}

/// `p|q`: q is for the opposite of the comparison.
bool build::compare(Operation &op) {
  if (lacksPredicate(op, 3))
    return op.fail("a predicate is missing, or one too many");
  Value *holds = comparison(op, op.type(), op[0], op[1]);
  if (!holds)
    return false;
  Value *other = op.in.size() == 3 ? op[2] : nullptr;
  const Operand &target = op.operand(0);
  if (target.kind != Operand::Kind::Pair)
    return op.write(0, combine(op, holds, other), kPredicate);
  Value *first = combine(op, holds, other);
  Value *second = combine(op, op.ir.CreateNot(holds), other);
  return op.function.write(target.parts[0], first, kPredicate) &&
         op.function.write(target.parts[1], second, kPredicate);
}

/// `p|q`: one for each half.
bool build::comparePair(Operation &op) {
  if (lacksPredicate(op, 3) || op.operand(0).kind != Operand::Kind::Pair)
    return op.fail("it has two predicates as results");
  Value *holds = comparison(op, op.type(), op[0], op[1]);
  if (!holds)
    return false;
  for (unsigned i = 0; i < 2; ++i) {
    Value *half = op.ir.CreateExtractElement(holds, uint64_t(i));
    half = combine(op, half, op.in.size() == 3 ? op[2] : nullptr);
    if (!op.function.write(op.operand(0).parts[i], half, kPredicate))
      return false;
  }
  return true;
}

/// 1.0, or an integer of ones, where it holds; of pairs one for each half.
Value *build::compareToNumber(Operation &op) {
  if (lacksPredicate(op, 3))
    return op.fail("a predicate is missing, or one too many");
  RegisterType to = op.type(0), from = op.type(1);
  if (to.isFloat() && from.lanes == 2 && !(to == from))
    return op.fail("pairs are of one type");
  Value *holds = comparison(op, from, op[0], op[1]);
  if (!holds)
    return nullptr;
  if (op.in.size() == 3)
    holds = combine(
        op, holds, from.lanes == 2 ? op.ir.CreateVectorSplat(2, op[2]) : op[2]);
  if (to.isFloat()) {
    llvm::Type *type = op.function.typeOf(to);
    return op.ir.CreateSelect(holds, ConstantFP::get(type, 1.0),
                              Constant::getNullValue(type));
  }
  llvm::Type *part = op.ir.getIntNTy(to.bits / from.lanes);
  Value *ones = op.ir.CreateSExt(holds, holds->getType()->getWithNewType(part));
  return op.ir.CreateBitCast(ones, op.ir.getIntNTy(to.bits));
}

Value *build::choose(Operation &op) {
  return op.ir.CreateSelect(op[2], op[0], op[1]);
}

/// The first where the last operand is at least zero.
Value *build::chooseBySign(Operation &op) {
  Builder &ir = op.ir;
  Value *sign = op[2];
  if (op.has("ftz") && op.type(1).isFloat())
    sign = flush(ir, sign);
  Constant *zero = Constant::getNullValue(sign->getType());
  Value *isAtLeast = op.type(1).isFloat() ? ir.CreateFCmpOGE(sign, zero)
                                          : ir.CreateICmpSGE(sign, zero);
  return ir.CreateSelect(isAtLeast, op[0], op[1]);
}
