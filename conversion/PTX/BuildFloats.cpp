//===- BuildFloats.cpp - arithmetic of floating-point numbers -------------===//
//
// Operations that round to nearest are LLVM's own, others are intrinsics of
// NVVM. Flushing and saturating are spelled out. Approximations may be any that
// the ISA's bounds allow.
//
//===----------------------------------------------------------------------===//

#include "conversion/PTX/Builders.h"

#include "llvm/IR/Intrinsics.h"

using namespace llvm;
using namespace gpuopt;
using namespace gpuopt::ptx;

Value *build::flush(Builder &ir, Value *value) {
  llvm::Type *type = value->getType();
  Constant *least = ConstantFP::get(
      type,
      APFloat::getSmallestNormalized(type->getScalarType()->getFltSemantics()));
  Value *isTiny =
      ir.CreateFCmpOLT(ir.CreateUnaryIntrinsic(Intrinsic::fabs, value), least);
  Value *zero = ir.CreateCopySign(Constant::getNullValue(type), value);
  return ir.CreateSelect(isTiny, zero, value);
}

static Value *flushed(Operation &op, Value *value) {
  return op.has("ftz") ? build::flush(op.ir, value) : value;
}

/// To [+0, 1]; what is no number is +0.
static Value *saturate(Builder &ir, Value *value) {
  Constant *zero = Constant::getNullValue(value->getType());
  Constant *one = ConstantFP::get(value->getType(), 1.0);
  Value *positive = ir.CreateSelect(ir.CreateFCmpOGT(value, zero), value, zero);
  return ir.CreateSelect(ir.CreateFCmpOGT(positive, one), one, positive);
}

/// What the modifiers say of a result.
static Value *finish(Operation &op, Value *value) {
  Builder &ir = op.ir;
  value = flushed(op, value);
  if (op.has("sat"))
    value = saturate(ir, value);
  if (op.has("relu")) {
    Constant *zero = Constant::getNullValue(value->getType());
    value = ir.CreateSelect(ir.CreateFCmpOLE(value, zero), zero, value);
  }
  return value;
}

/// `rz`, `rm` or `rp`; empty for nearest.
static StringRef directionOf(Operation &op) {
  for (StringRef direction : {"rz", "rm", "rp"})
    if (op.has(direction))
      return direction;
  return "";
}

/// `add.rz.f`: NVVM's names.
static std::string directedName(Operation &op, StringRef operation) {
  return (operation + "." + directionOf(op) +
          (op.type().bits / op.type().lanes == 32 ? ".f" : ".d"))
      .str();
}

/// The same of each of two numbers, where that is what is asked for.
static Value *callDirected(Operation &op, StringRef operation,
                           ArrayRef<Value *> operands) {
  std::string name = directedName(op, operation);
  if (op.type().lanes == 1)
    return op.callNVVM(name, operands);
  Value *pair = PoisonValue::get(operands[0]->getType());
  for (unsigned lane : {0u, 1u}) {
    SmallVector<Value *, 3> of;
    for (Value *operand : operands)
      of.push_back(op.ir.CreateExtractElement(operand, lane));
    pair = op.ir.CreateInsertElement(pair, op.callNVVM(name, of), lane);
  }
  return pair;
}

/// Without a rounding mode a product and a sum may be fused.
Value *build::arithmetic(Operation &op) {
  Builder &ir = op.ir;
  StringRef name = op.match.rule->name;
  Value *left = flushed(op, op[0]), *right = flushed(op, op[1]);
  if (!directionOf(op).empty()) {
    if (name == "sub")
      right = ir.CreateFNeg(right);
    return finish(
        op, callDirected(op, name == "mul" ? "mul" : "add", {left, right}));
  }
  FastMathFlags flags;
  flags.setAllowContract(!op.has("rn"));
  auto code = name == "add"   ? Instruction::FAdd
              : name == "sub" ? Instruction::FSub
                              : Instruction::FMul;
  Value *result = ir.CreateBinOp(code, left, right);
  if (auto *instruction = dyn_cast<Instruction>(result))
    instruction->setFastMathFlags(flags);
  return finish(op, result);
}

Value *build::fusedArithmetic(Operation &op) {
  SmallVector<Value *, 3> in;
  for (Value *value : op.in)
    in.push_back(flushed(op, value));
  if (!directionOf(op).empty())
    return finish(op, callDirected(op, "fma", in));
  return finish(op,
                op.ir.CreateIntrinsic(Intrinsic::fma, {in[0]->getType()}, in));
}

Value *build::divide(Operation &op) {
  Value *left = flushed(op, op[0]), *right = flushed(op, op[1]);
  if (op.has("approx"))
    return finish(op, op.callNVVM("div.approx.f", {left, right}));
  if (op.has("full"))
    return finish(op, op.callNVVM("div.full", {left, right}));
  if (!directionOf(op).empty())
    return finish(op, op.callNVVM(directedName(op, "div"), {left, right}));
  return finish(op, op.ir.CreateFDiv(left, right));
}

Value *build::reciprocal(Operation &op) {
  Builder &ir = op.ir;
  Value *value = flushed(op, op[0]);
  Constant *one = ConstantFP::get(value->getType(), 1.0);
  if (op.has("approx")) {
    if (op.type().bits == 64)
      return op.has("ftz") ? op.callNVVM("rcp.approx.ftz.d", {value})
                           : op.fail("f64 has it with '.ftz' only");
    return finish(op, op.callNVVM("div.approx.f", {one, value}));
  }
  if (!directionOf(op).empty())
    return finish(op, op.callNVVM(directedName(op, "rcp"), {value}));
  return finish(op, ir.CreateFDiv(one, value));
}

Value *build::squareRoot(Operation &op) {
  Value *value = flushed(op, op[0]);
  if (op.has("approx"))
    return finish(op, op.callNVVM("sqrt.approx.f", {value}));
  if (!directionOf(op).empty())
    return finish(op, op.callNVVM(directedName(op, "sqrt"), {value}));
  return finish(op, op.ir.CreateUnaryIntrinsic(Intrinsic::sqrt, value));
}

Value *build::reciprocalRoot(Operation &op) {
  bool isSingle = op.type().bits == 32;
  if (!isSingle && op.has("ftz"))
    return op.callNVVM("rsqrt.approx.ftz.d", {op[0]});
  return finish(op, op.callNVVM(isSingle ? "rsqrt.approx.f" : "rsqrt.approx.d",
                                {flushed(op, op[0])}));
}

Value *build::approximate(Operation &op) {
  Value *value = flushed(op, op[0]);
  StringRef name = op.match.rule->name;
  if (name == "ex2" && op.type().kind == RegisterType::Kind::BFloat)
    return op.callNVVM("ex2.approx.ftz", {op[0]}, {op[0]->getType()});
  if (name == "ex2")
    return finish(op, op.callNVVM("ex2.approx", {value}, {value->getType()}));
  if (name == "tanh") {
    CallInst *call = op.ir.CreateUnaryIntrinsic(Intrinsic::tanh, value);
    FastMathFlags flags;
    flags.setApproxFunc();
    call->setFastMathFlags(flags);
    return call;
  }
  return finish(op, op.callNVVM((name + ".approx.f").str(), {value}));
}

Value *build::absoluteFloat(Operation &op) {
  return flushed(op, op.ir.CreateUnaryIntrinsic(Intrinsic::fabs, op[0]));
}

Value *build::negateFloat(Operation &op) {
  return flushed(op, op.ir.CreateFNeg(op[0]));
}

/// A number wins over what is none; +0 is more than -0.
static Intrinsic::ID extremeOf(const Operation &op) {
  bool isMin = op.match.rule->name == "min";
  if (op.has("NaN"))
    return isMin ? Intrinsic::minimum : Intrinsic::maximum;
  return isMin ? Intrinsic::minnum : Intrinsic::maxnum;
}

Value *build::extremeFloat(Operation &op) {
  Intrinsic::ID id = extremeOf(op);
  if (op.in.size() == 3 && !(op.type() == kF32))
    return op.fail("only f32 has three sources");
  Value *result = flushed(op, op[0]);
  for (Value *value : ArrayRef(op.in).drop_front())
    result = op.ir.CreateBinaryIntrinsic(id, result, flushed(op, value));
  return result;
}

/// `.xorsign.abs`: of the magnitudes, and negative where one operand is.
Value *build::extremeMagnitude(Operation &op) {
  Builder &ir = op.ir;
  Value *left = flushed(op, op[0]), *right = flushed(op, op[1]);
  Value *size = ir.CreateBinaryIntrinsic(
      extremeOf(op), ir.CreateUnaryIntrinsic(Intrinsic::fabs, left),
      ir.CreateUnaryIntrinsic(Intrinsic::fabs, right));
  llvm::Type *type = size->getType();
  llvm::Type *bits = ir.getIntNTy(type->getScalarSizeInBits());
  if (auto *vector = dyn_cast<FixedVectorType>(type))
    bits = FixedVectorType::get(bits, vector->getNumElements());
  Value *signs =
      ir.CreateXor(ir.CreateBitCast(left, bits), ir.CreateBitCast(right, bits));
  Value *result = ir.CreateCopySign(size, ir.CreateBitCast(signs, type));
  return ir.CreateSelect(ir.CreateFCmpUNO(size, size), size, result);
}

/// The sign is the first operand's.
Value *build::copySign(Operation &op) {
  return op.ir.CreateCopySign(op[1], op[0]);
}

/// Zeros are normal.
Value *build::testProperty(Operation &op) {
  unsigned mask = op.has("finite")       ? fcFinite
                  : op.has("infinite")   ? fcInf
                  : op.has("number")     ? fcAllFlags & ~fcNan
                  : op.has("notanumber") ? fcNan
                  : op.has("normal")     ? fcNormal | fcZero
                                         : fcSubnormal;
  return op.ir.CreateIntrinsic(Intrinsic::is_fpclass, {op[0]->getType()},
                               {op[0], op.ir.getInt32(mask)});
}
