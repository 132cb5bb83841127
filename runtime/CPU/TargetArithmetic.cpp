//===- TargetArithmetic.cpp - intrinsics that compute ---------------------===//
//
// Approximations become the exact function, which every approximation is
// within bounds of; the rest is spelled in LLVM's generic operations.
//
//===----------------------------------------------------------------------===//

#include "runtime/CPU/DirectedRounding.h"
#include "runtime/CPU/KernelBuilder.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace gpuopt;
using namespace gpuopt::runtime;

/// Strips rounding, flushing and type suffixes: `sqrt` for `sqrt.approx.ftz.f`.
static StringRef stem(StringRef name) {
  return name.take_until([](char c) { return c == '.'; });
}

/// A generic intrinsic of the same operands.
static Intrinsic::ID genericIntrinsic(StringRef name) {
  return StringSwitch<Intrinsic::ID>(name)
      .Cases({"nvvm.sqrt", "amdgcn.sqrt"}, Intrinsic::sqrt)
      .Case("nvvm.sin", Intrinsic::sin)
      .Case("nvvm.cos", Intrinsic::cos)
      .Cases({"nvvm.ex2", "amdgcn.exp2"}, Intrinsic::exp2)
      .Cases({"nvvm.lg2", "amdgcn.log"}, Intrinsic::log2)
      .Case("nvvm.tanh", Intrinsic::tanh)
      .Case("nvvm.fabs", Intrinsic::fabs)
      .Case("nvvm.floor", Intrinsic::floor)
      .Case("nvvm.ceil", Intrinsic::ceil)
      .Case("nvvm.trunc", Intrinsic::trunc)
      .Case("nvvm.round", Intrinsic::roundeven)
      .Case("nvvm.fma", Intrinsic::fma)
      .Case("nvvm.fmin", Intrinsic::minnum)
      .Case("nvvm.fmax", Intrinsic::maxnum)
      .Default(Intrinsic::not_intrinsic);
}

static Value *reciprocal(IRBuilderBase &ir, Value *value) {
  return ir.CreateFDiv(ConstantFP::get(value->getType(), 1.0), value);
}

/// Integer × integer, the high half of the product.
static Value *highProduct(IRBuilderBase &ir, Value *a, Value *b,
                          bool isSigned) {
  unsigned bits = a->getType()->getIntegerBitWidth();
  Type *wide = ir.getIntNTy(2 * bits);
  auto extend = [&](Value *value) {
    return isSigned ? ir.CreateSExt(value, wide) : ir.CreateZExt(value, wide);
  };
  Value *product = ir.CreateMul(extend(a), extend(b));
  return ir.CreateTrunc(ir.CreateLShr(product, bits), a->getType());
}

static Value *median(IRBuilderBase &ir, Value *a, Value *b, Value *c) {
  Value *low = ir.CreateMinNum(a, b), *high = ir.CreateMaxNum(a, b);
  return ir.CreateMaxNum(low, ir.CreateMinNum(high, c));
}

/// `amdgcn.ubfe`/`sbfe`: `width` bits from bit `offset` on.
static Value *extractBits(IRBuilderBase &ir, CallInst &call, bool isSigned) {
  Value *value = call.getArgOperand(0);
  Value *offset = ir.CreateAnd(call.getArgOperand(1), 31);
  Value *width = ir.CreateAnd(call.getArgOperand(2), 31);
  Value *left = ir.CreateSub(ir.getInt32(32), width);
  Value *empty = ir.CreateIsNull(width);
  left = ir.CreateSelect(empty, ir.getInt32(0), left);
  Value *up = ir.CreateShl(ir.CreateLShr(value, offset), left);
  Value *down = isSigned ? ir.CreateAShr(up, left) : ir.CreateLShr(up, left);
  return ir.CreateSelect(empty, ir.getInt32(0), down);
}

/// `nvvm.f2i.rn` and the like: conversions that saturate.
static Value *convertToInteger(IRBuilderBase &ir, CallInst &call,
                               StringRef name) {
  // FROM2TO.ROUNDING: d2i.rn, f2ull.rz.ftz.
  auto [conversion, rounding] = name.split('.');
  auto [from, to] = conversion.split('2');
  if ((from != "f" && from != "d") ||
      (to != "i" && to != "ui" && to != "ll" && to != "ull"))
    return nullptr;
  Value *value = call.getArgOperand(0);
  Intrinsic::ID round = StringSwitch<Intrinsic::ID>(rounding.take_front(2))
                            .Case("rn", Intrinsic::roundeven)
                            .Case("rm", Intrinsic::floor)
                            .Case("rp", Intrinsic::ceil)
                            .Default(Intrinsic::trunc);
  value = ir.CreateUnaryIntrinsic(round, value);
  return ir.CreateIntrinsic(to.starts_with("u") ? Intrinsic::fptoui_sat
                                                : Intrinsic::fptosi_sat,
                            {call.getType(), value->getType()}, {value});
}

namespace {
/// An operation, and how it rounds; nothing for to nearest.
struct RoundedOperation {
  StringRef name;
  std::optional<RoundingDirection> direction;
};
} // namespace

/// `add.rz.f` of NVVM's intrinsics.
static std::optional<RoundedOperation> parseIntrinsic(StringRef name) {
  using Direction = std::optional<RoundingDirection>;
  auto direction = StringSwitch<Direction>(name.split('.').second.take_front(2))
                       .Case("rz", RoundingDirection::ToZero)
                       .Case("rm", RoundingDirection::Down)
                       .Case("rp", RoundingDirection::Up)
                       .Default(std::nullopt);
  StringRef operation = stem(name);
  bool isKnown = is_contained({"add", "mul", "div", "rcp", "sqrt", "fma", "d2f",
                               "i2f", "ui2f", "ll2f", "ull2f", "ll2d", "ull2d"},
                              operation);
  if (!direction || !isKnown)
    return std::nullopt;
  return RoundedOperation{operation, *direction};
}

/// `fadd_rz` of libdevice.
static std::optional<RoundedOperation> parseLibdevice(StringRef name) {
  using Direction = std::optional<RoundingDirection>;
  auto [function, rounding] = name.rsplit('_');
  auto direction = StringSwitch<Direction>(rounding)
                       .Case("rz", RoundingDirection::ToZero)
                       .Case("rd", RoundingDirection::Down)
                       .Case("ru", RoundingDirection::Up)
                       .Default(std::nullopt);
  bool isKnown = direction || rounding == "rn";
  StringRef operation = StringSwitch<StringRef>(function)
                            .Cases({"fadd", "dadd"}, "add")
                            .Cases({"fsub", "dsub"}, "sub")
                            .Cases({"fmul", "dmul"}, "mul")
                            .Cases({"fdiv", "ddiv"}, "div")
                            .Cases({"frcp", "drcp"}, "rcp")
                            .Cases({"fsqrt", "dsqrt"}, "sqrt")
                            .Cases({"fmaf", "fma"}, "fma")
                            .Case("double2float", "d2f")
                            .Case("int2float", "i2f")
                            .Case("uint2float", "ui2f")
                            .Case("ll2float", "ll2f")
                            .Case("ull2float", "ull2f")
                            .Case("ll2double", "ll2d")
                            .Case("ull2double", "ull2d")
                            .Default("");
  if (!isKnown || operation.empty())
    return std::nullopt;
  return RoundedOperation{operation, direction};
}

/// `i2f`, `ull2d`: an integer becomes a float.
static Value *nearestConversion(IRBuilderBase &ir, StringRef name,
                                Value *value) {
  Type *type = name.ends_with("f") ? ir.getFloatTy() : ir.getDoubleTy();
  return name.starts_with("u") ? ir.CreateUIToFP(value, type)
                               : ir.CreateSIToFP(value, type);
}

static Value *nearestOperation(IRBuilderBase &ir, StringRef name,
                               ArrayRef<Value *> in) {
  if (in[0]->getType()->isIntegerTy())
    return nearestConversion(ir, name, in[0]);
  if (name == "fma")
    return ir.CreateIntrinsic(Intrinsic::fma, {in[0]->getType()}, in);
  return name == "add"    ? ir.CreateFAdd(in[0], in[1])
         : name == "mul"  ? ir.CreateFMul(in[0], in[1])
         : name == "div"  ? ir.CreateFDiv(in[0], in[1])
         : name == "sqrt" ? ir.CreateUnaryIntrinsic(Intrinsic::sqrt, in[0])
                          : ir.CreateFPTrunc(in[0], ir.getFloatTy());
}

/// Null where no number comes out.
static Value *roundedOperation(IRBuilderBase &ir, CallInst &call,
                               RoundedOperation rounded) {
  Type *type = call.getType();
  if (!type->isFloatTy() && !type->isDoubleTy())
    return nullptr;
  SmallVector<Value *> operands(call.args());
  StringRef operation = rounded.name;
  if (operation == "rcp") {
    operation = "div";
    operands.insert(operands.begin(), ConstantFP::get(type, 1.0));
  } else if (operation == "sub") {
    operation = "add";
    operands[1] = ir.CreateFNeg(operands[1]);
  }
  if (!rounded.direction)
    return nearestOperation(ir, operation, operands);
  operands.push_back(ir.getInt32(uint32_t(*rounded.direction)));
  SmallVector<Type *> types;
  for (Value *operand : operands)
    types.push_back(operand->getType());
  FunctionCallee callee = call.getModule()->getOrInsertFunction(
      ("gpuopt_round_" + operation + (type->isFloatTy() ? "_f" : "_d")).str(),
      FunctionType::get(type, types, /*isVarArg=*/false));
  return ir.CreateCall(callee, operands);
}

/// `nvvm.add.rn.f` and the like.
static Value *roundedArithmetic(IRBuilderBase &ir, CallInst &call,
                                StringRef operation) {
  if (call.arg_size() != 2 || !call.getType()->isFPOrFPVectorTy() ||
      !is_contained({"add", "mul", "div"}, operation))
    return nullptr;
  return nearestOperation(ir, operation,
                          {call.getArgOperand(0), call.getArgOperand(1)});
}

/// To [0, 1]; what is no number is zero.
static Value *saturate(IRBuilderBase &ir, Value *value) {
  Type *type = value->getType();
  return ir.CreateMinNum(ir.CreateMaxNum(value, ConstantFP::get(type, 0.0)),
                         ConstantFP::get(type, 1.0));
}

/// `nvvm.f2tf32.rna`: the bits of a float with 10 bits behind the point.
static Value *convertToTF32(IRBuilderBase &ir, Value *value,
                            StringRef rounding) {
  constexpr uint32_t dropped = 0x1fff, exponent = 0x7f800000;
  Value *bits = ir.CreateBitCast(value, ir.getInt32Ty()), *half;
  if (rounding == "rna")
    half = ir.getInt32(0x1000);
  else if (rounding == "rn")
    half = ir.CreateAdd(ir.CreateAnd(ir.CreateLShr(bits, 13), 1),
                        ir.getInt32(0xfff));
  else if (rounding == "rz")
    half = ir.getInt32(0);
  else
    return nullptr;
  Value *isNumber =
      ir.CreateICmpNE(ir.CreateAnd(bits, exponent), ir.getInt32(exponent));
  Value *rounded = ir.CreateAnd(ir.CreateAdd(bits, half), ~dropped);
  return ir.CreateSelect(isNumber, rounded, bits);
}

static Value *lowerNVVM(IRBuilderBase &ir, CallInst &call, StringRef name) {
  StringRef operation = stem(name);
  Value *first = call.arg_empty() ? nullptr : call.getArgOperand(0);
  if (operation == "rcp")
    return reciprocal(ir, first);
  if (operation == "rsqrt")
    return reciprocal(ir, ir.CreateUnaryIntrinsic(Intrinsic::sqrt, first));
  if (operation == "saturate")
    return saturate(ir, first);
  if (operation == "f2tf32")
    return convertToTF32(ir, first, name.split('.').second);
  if (operation == "mulhi")
    return highProduct(ir, first, call.getArgOperand(1), !name.contains(".u"));
  if (name.starts_with("ldg.global"))
    return ir.CreateAlignedLoad(call.getType(), first, Align(1));
  if (operation == "ff2bf16x2" || operation == "ff2f16x2") {
    StringRef rounding = name.split('.').second;
    if (rounding != "rn" && rounding != "rn.relu")
      return nullptr;
    // The first operand becomes the upper half.
    Type *type = call.getType();
    Value *pair = PoisonValue::get(type);
    for (unsigned lane : {0u, 1u})
      pair = ir.CreateInsertElement(
          pair,
          ir.CreateFPTrunc(call.getArgOperand(1 - lane), type->getScalarType()),
          uint64_t(lane));
    Constant *zero = Constant::getNullValue(type);
    return rounding.ends_with(".relu")
               ? ir.CreateSelect(ir.CreateFCmpOLE(pair, zero), zero, pair)
               : pair;
  }
  if (Value *value = roundedArithmetic(ir, call, operation))
    return value;
  return convertToInteger(ir, call, name);
}

static Value *lowerAMDGCN(IRBuilderBase &ir, CallInst &call, StringRef name) {
  StringRef operation = stem(name);
  Value *first = call.arg_empty() ? nullptr : call.getArgOperand(0);
  if (operation == "rcp")
    return reciprocal(ir, first);
  if (operation == "rsq")
    return reciprocal(ir, ir.CreateUnaryIntrinsic(Intrinsic::sqrt, first));
  if (operation == "fract")
    return ir.CreateFSub(first,
                         ir.CreateUnaryIntrinsic(Intrinsic::floor, first));
  if (operation == "fmed3")
    return median(ir, first, call.getArgOperand(1), call.getArgOperand(2));
  if (operation == "ubfe" || operation == "sbfe")
    return extractBits(ir, call, operation == "sbfe");
  if (operation == "mul" && name.contains("24")) {
    bool isSigned = name.contains("i24");
    auto low = [&](Value *value) -> Value * {
      Value *up = ir.CreateShl(value, 8);
      return isSigned ? ir.CreateAShr(up, 8) : ir.CreateLShr(up, 8);
    };
    return ir.CreateMul(low(first), low(call.getArgOperand(1)));
  }
  // Turns per circle, not radians.
  if (operation == "sin" || operation == "cos") {
    Value *radians = ir.CreateFMul(
        first, ConstantFP::get(first->getType(), 6.283185307179586));
    return ir.CreateUnaryIntrinsic(
        operation == "sin" ? Intrinsic::sin : Intrinsic::cos, radians);
  }
  return nullptr;
}

/// The device library's functions on bits; all give 32 bits but the reversal.
static Value *lowerBits(IRBuilderBase &ir, CallInst &call, StringRef name) {
  name.consume_back("ll");
  Intrinsic::ID id = StringSwitch<Intrinsic::ID>(name)
                         .Case("popc", Intrinsic::ctpop)
                         .Case("clz", Intrinsic::ctlz)
                         .Case("brev", Intrinsic::bitreverse)
                         .Default(Intrinsic::not_intrinsic);
  if (id == Intrinsic::not_intrinsic)
    return nullptr;
  SmallVector<Value *, 2> operands = {call.getArgOperand(0)};
  if (id == Intrinsic::ctlz)
    operands.push_back(ir.getFalse());
  Value *bits = ir.CreateIntrinsic(id, {operands[0]->getType()}, operands);
  return ir.CreateZExtOrTrunc(bits, call.getType());
}

/// The device library's functions that change the sign bit and nothing else.
static Value *lowerSign(IRBuilderBase &ir, CallInst &call, StringRef name) {
  Type *type = call.getType();
  name.consume_back(type->isFloatTy() ? "f" : "");
  if (name == "fabs" && call.arg_size() == 1)
    return ir.CreateUnaryIntrinsic(Intrinsic::fabs, call.getArgOperand(0));
  if (name == "copysign" && call.arg_size() == 2)
    return ir.CreateCopySign(call.getArgOperand(0), call.getArgOperand(1));
  return nullptr;
}

static Value *lowerByName(IRBuilderBase &ir, CallInst &call, StringRef name) {
  if (name.consume_front("__nv_")) {
    if (is_contained({"mulhi", "umulhi", "mul64hi", "umul64hi"}, name))
      return highProduct(ir, call.getArgOperand(0), call.getArgOperand(1),
                         !name.starts_with("u"));
    if (Value *value = lowerBits(ir, call, name))
      return value;
    if (Value *value = lowerSign(ir, call, name))
      return value;
    auto operation = parseLibdevice(name);
    return operation ? roundedOperation(ir, call, *operation) : nullptr;
  }
  if (!name.consume_front("llvm."))
    return nullptr;
  auto [target, rest] = name.split('.');
  if (target != "nvvm" && target != "amdgcn")
    return nullptr;
  if (auto operation = parseIntrinsic(rest); operation && target == "nvvm")
    return roundedOperation(ir, call, *operation);
  std::string generic = (target + "." + stem(rest)).str();
  Intrinsic::ID id = genericIntrinsic(generic);
  if (id != Intrinsic::not_intrinsic) {
    SmallVector<Value *> operands(call.args());
    return ir.CreateIntrinsic(id, {call.getType()}, operands);
  }
  return target == "nvvm" ? lowerNVVM(ir, call, rest)
                          : lowerAMDGCN(ir, call, rest);
}

Value *gpuopt::runtime::lowerTargetArithmetic(IRBuilderBase &ir,
                                              CallInst &call) {
  StringRef name = call.getCalledFunction()->getName();
  Value *value = lowerByName(ir, call, name);
  return value && name.contains(".sat.") ? saturate(ir, value) : value;
}
