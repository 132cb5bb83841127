//===- MathFunctions.cpp - mathematical calls to the vendor's names -------===//
//
// Vectors are taken apart and half precision is computed in single precision:
// the libraries have scalar functions for `float` and `double`.
//
//===----------------------------------------------------------------------===//

#include "conversion/EmitBinary/DeviceLibrary.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace gpuopt {
namespace {

/// One line of MathFunctions.def.
struct MathFunction {
  StringRef name;
  StringRef intrinsic;
  StringRef ocml;
};

const MathFunction mathFunctions[] = {
#define GPUOPT_MATH(NAME, INTRINSIC, OCML) {#NAME, INTRINSIC, OCML},
#include "conversion/EmitBinary/MathFunctions.def"
};

/// What a call to a mathematical function asks for: the function's C name, as
/// for `double`, and whether its type is `float`.
struct MathCall {
  StringRef name;
  bool isFloat;
};

class MathMapper {
public:
  MathMapper(Module &module, bool isNVIDIA)
      : module(module), isNVIDIA(isNVIDIA), builder(module.getContext()) {
    for (const MathFunction &function : mathFunctions) {
      byName[function.name] = &function;
      byOCML[function.ocml] = &function;
      if (!function.intrinsic.empty())
        byIntrinsic[function.intrinsic] = &function;
    }
  }

  void run();

private:
  /// The value that replaces `inst`; null where it stays.
  Value *map(Instruction &inst);
  Value *mapIntrinsic(CallInst &call);
  Value *mapNamedCall(CallInst &call);
  Value *mapPointerCall(CallInst &call, MathCall math);
  Value *mapRemquo(CallInst &call, MathCall math);
  Value *mapExact(CallInst &call, MathCall math);
  Value *mapRounded(CallInst &call);

  /// Calls the library's version of `function` on `args`, element by element.
  Value *callLibrary(const MathFunction &function, ArrayRef<Value *> args);
  Value *callScalar(StringRef nvName, StringRef ocmlName,
                    ArrayRef<Value *> args, Type *result, bool isFloat);
  Value *callByName(StringRef name, ArrayRef<Value *> args) {
    return callLibrary(*byName.lookup(name), args);
  }

  Module &module;
  bool isNVIDIA;
  IRBuilder<> builder;
  StringMap<const MathFunction *> byName, byIntrinsic, byOCML;
};

} // namespace

Value *MathMapper::callScalar(StringRef nvName, StringRef ocmlName,
                              ArrayRef<Value *> args, Type *result,
                              bool isFloat) {
  std::string symbol =
      isNVIDIA ? ("__nv_" + nvName + (isFloat ? "f" : "")).str()
               : ("__ocml_" + ocmlName + (isFloat ? "_f32" : "_f64")).str();
  SmallVector<Type *> types;
  for (Value *arg : args)
    types.push_back(arg->getType());
  FunctionCallee callee = module.getOrInsertFunction(
      symbol, FunctionType::get(result, types, false));
  if (auto *function = dyn_cast<Function>(callee.getCallee()))
    function->setDoesNotThrow();
  return builder.CreateCall(callee, args);
}

Value *MathMapper::callLibrary(const MathFunction &function,
                               ArrayRef<Value *> args) {
  Type *type = args.front()->getType();
  if (auto *vector = dyn_cast<FixedVectorType>(type)) {
    Value *result = PoisonValue::get(type);
    for (unsigned i = 0; i < vector->getNumElements(); ++i) {
      SmallVector<Value *> scalars;
      for (Value *arg : args)
        scalars.push_back(builder.CreateExtractElement(arg, i));
      result = builder.CreateInsertElement(result,
                                           callLibrary(function, scalars), i);
    }
    return result;
  }
  if (type->isFloatTy() || type->isDoubleTy())
    return callScalar(function.name, function.ocml, args, type,
                      type->isFloatTy());
  SmallVector<Value *> wide;
  for (Value *arg : args)
    wide.push_back(builder.CreateFPExt(arg, builder.getFloatTy()));
  return builder.CreateFPTrunc(callLibrary(function, wide), type);
}

/// Splits `llvm.sin.f32` into the name in the middle.
static StringRef getIntrinsicName(const Function &function) {
  StringRef name = Intrinsic::getBaseName(function.getIntrinsicID());
  name.consume_front("llvm.");
  return name;
}

Value *MathMapper::mapIntrinsic(CallInst &call) {
  StringRef name = getIntrinsicName(*call.getCalledFunction());
  Type *type = call.getType();
  SmallVector<Value *> args(call.args());
  if (const MathFunction *function = byIntrinsic.lookup(name)) {
    // The caller asked for the hardware's approximation.
    if (call.hasApproxFunc() && type->getScalarType()->isFloatTy()) {
      // LLVM has none for logarithms of NVIDIA's.
      bool hasInstruction = StringSwitch<bool>(name)
                                .Cases({"sin", "cos", "exp2"}, true)
                                .Case("log2", !isNVIDIA)
                                .Default(false);
      bool hasFastVersion =
          StringSwitch<bool>(name)
              .Cases({"tan", "exp", "exp10", "log", "log2", "log10", "pow"},
                     true)
              .Default(false);
      if (hasInstruction)
        return nullptr;
      if (hasFastVersion && isNVIDIA && type->isFloatTy())
        return callScalar(("fast_" + name).str(), "", args, type, true);
    }
    return callLibrary(*function, args);
  }
  bool isScalar = type->isFloatTy() || type->isDoubleTy();
  if (name == "powi" && isScalar)
    return callScalar("powi", "pown", args, type, type->isFloatTy());
  if (name == "ldexp" && isScalar && isNVIDIA &&
      args[1]->getType()->isIntegerTy(32))
    return callScalar("ldexp", "ldexp", args, type, type->isFloatTy());
  StringRef rounding = StringSwitch<StringRef>(name)
                           .Cases({"lrint", "llrint"}, "rint")
                           .Cases({"lround", "llround"}, "round")
                           .Default("");
  if (rounding.empty())
    return nullptr;
  Value *rounded = builder.CreateUnaryIntrinsic(
      rounding == "rint" ? Intrinsic::rint : Intrinsic::round, args[0]);
  return builder.CreateIntrinsic(Intrinsic::fptosi_sat,
                                 {type, rounded->getType()}, {rounded});
}

/// Functions that the back ends have instructions for.
Value *MathMapper::mapExact(CallInst &call, MathCall math) {
  Intrinsic::ID id = StringSwitch<Intrinsic::ID>(math.name)
                         .Case("fabs", Intrinsic::fabs)
                         .Case("floor", Intrinsic::floor)
                         .Case("ceil", Intrinsic::ceil)
                         .Case("trunc", Intrinsic::trunc)
                         .Case("rint", Intrinsic::rint)
                         .Case("nearbyint", Intrinsic::nearbyint)
                         .Case("round", Intrinsic::round)
                         .Case("sqrt", Intrinsic::sqrt)
                         .Case("fma", Intrinsic::fma)
                         .Case("fmin", Intrinsic::minnum)
                         .Case("fmax", Intrinsic::maxnum)
                         .Case("copysign", Intrinsic::copysign)
                         .Default(Intrinsic::not_intrinsic);
  if (id == Intrinsic::not_intrinsic || call.arg_empty() ||
      call.getType() != call.getArgOperand(0)->getType())
    return nullptr;
  SmallVector<Value *> args(call.args());
  return builder.CreateIntrinsic(id, {call.getType()}, args);
}

Value *MathMapper::mapRemquo(CallInst &call, MathCall math) {
  SmallVector<Value *> args(call.args());
  auto callRemquo = [&] {
    return callScalar(math.name, math.name, args, call.getType(), math.isFloat);
  };
  if (isNVIDIA)
    return callRemquo();
  // ROCm's version wants a private pointer.
  Value *quotient = args[2];
  {
    IRBuilder<>::InsertPointGuard guard(builder);
    BasicBlock &entry = call.getFunction()->getEntryBlock();
    builder.SetInsertPoint(&entry, entry.begin());
    args[2] = builder.CreateAlloca(builder.getInt32Ty(),
                                   module.getDataLayout().getAllocaAddrSpace());
  }
  Value *result = callRemquo();
  builder.CreateStore(builder.CreateLoad(builder.getInt32Ty(), args[2]),
                      quotient);
  return result;
}

/// Functions that return through pointers, integers, or take them.
Value *MathMapper::mapPointerCall(CallInst &call, MathCall math) {
  SmallVector<Value *> args(call.args());
  StringRef name = math.name;
  Type *type = call.getType();
  if ((name == "sincos" || name == "sincospi") && args.size() == 3) {
    bool isPi = name == "sincospi";
    builder.CreateStore(callByName(isPi ? "sinpi" : "sin", args[0]), args[1]);
    return builder.CreateStore(callByName(isPi ? "cospi" : "cos", args[0]),
                               args[2]);
  }
  if (name == "tanpi")
    return builder.CreateFDiv(callByName("sinpi", args[0]),
                              callByName("cospi", args[0]));
  if (name == "remquo" && args.size() == 3)
    return mapRemquo(call, math);
  if (name == "frexp" && args.size() == 2) {
    Value *parts = builder.CreateIntrinsic(
        Intrinsic::frexp, {type, builder.getInt32Ty()}, {args[0]});
    builder.CreateStore(builder.CreateExtractValue(parts, 1), args[1]);
    return builder.CreateExtractValue(parts, 0);
  }
  if (name == "modf" && args.size() == 2) {
    Value *whole = builder.CreateUnaryIntrinsic(Intrinsic::trunc, args[0]);
    builder.CreateStore(whole, args[1]);
    // An infinity has no fraction; inf - inf would be NaN.
    Value *isWhole = builder.CreateFCmpOEQ(args[0], whole);
    Value *fraction = builder.CreateSelect(isWhole, ConstantFP::getZero(type),
                                           builder.CreateFSub(args[0], whole));
    return builder.CreateBinaryIntrinsic(Intrinsic::copysign, fraction,
                                         args[0]);
  }
  if (name == "ldexp" || name == "scalbn" || name == "scalbln") {
    Value *exponent = builder.CreateSExtOrTrunc(args[1], builder.getInt32Ty());
    return callScalar("ldexp", "ldexp", {args[0], exponent}, type,
                      math.isFloat);
  }
  if (name == "ilogb" || name == "jn" || name == "yn")
    return callScalar(name, name, args, type, math.isFloat);
  bool isRint = name == "lrint" || name == "llrint";
  bool isRound = name == "lround" || name == "llround";
  if (!isRint && !isRound)
    return nullptr;
  Value *rounded = builder.CreateUnaryIntrinsic(
      isRint ? Intrinsic::rint : Intrinsic::round, args[0]);
  return builder.CreateIntrinsic(Intrinsic::fptosi_sat,
                                 {type, rounded->getType()}, {rounded});
}

/// CUDA's `__fadd_rz`, `__dsqrt_ru`, … and its fast `__sinf`, `__expf`, ….
Value *MathMapper::mapRounded(CallInst &call) {
  StringRef name = call.getCalledFunction()->getName();
  name.consume_front("__");
  SmallVector<Value *> args(call.args());
  Type *type = call.getType();
  if (StringSwitch<bool>(name)
          .Cases({"sinf", "cosf", "tanf", "expf", "exp10f"}, true)
          .Cases({"logf", "log2f", "log10f", "powf", "tanhf"}, true)
          .Default(false)) {
    StringRef base = name.drop_back();
    if (!isNVIDIA)
      return callByName(base, args);
    return callScalar(("fast_" + base).str(), "", args, type, true);
  }
  if (name == "fdividef" && args.size() == 2) {
    auto *quotient = cast<Instruction>(builder.CreateFDiv(args[0], args[1]));
    quotient->setHasApproxFunc(true);
    quotient->setHasAllowReciprocal(true);
    return quotient;
  }
  auto [operation, mode] = name.rsplit('_');
  StringRef ocmlMode = StringSwitch<StringRef>(mode)
                           .Case("rn", "rte")
                           .Case("rz", "rtz")
                           .Case("ru", "rtp")
                           .Case("rd", "rtn")
                           .Default("");
  if (ocmlMode.empty() || !(type->isFloatTy() || type->isDoubleTy()))
    return nullptr;
  StringRef base = operation;
  if (base == "fmaf")
    base = "fma";
  else if (base != "fma")
    base = base.drop_front();
  if (!StringSwitch<bool>(base)
           .Cases({"add", "sub", "mul", "div", "fma", "sqrt", "rcp", "rsqrt"},
                  true)
           .Default(false))
    return nullptr;
  // libdevice's names carry the type in front; see `callScalar` for the rest.
  if (isNVIDIA)
    return callScalar(name, "", args, type, false);
  if (base == "rcp") {
    args.insert(args.begin(), ConstantFP::get(type, 1.0));
    base = "div";
  }
  return callScalar("", (base + "_" + ocmlMode).str(), args, type,
                    type->isFloatTy());
}

Value *MathMapper::mapNamedCall(CallInst &call) {
  StringRef symbol = call.getCalledFunction()->getName();
  Type *type = call.getType();
  // Upstream's name for half precision, which only newer libraries have.
  StringRef name = symbol;
  if (name.consume_front("__ocml_") && name.consume_back("_f16"))
    if (const MathFunction *function = byOCML.lookup(name)) {
      SmallVector<Value *> args(call.args());
      return callLibrary(*function, args);
    }
  if (symbol.starts_with("__"))
    return mapRounded(call);
  Type *first = nullptr;
  for (Value *arg : call.args())
    if (arg->getType()->isFloatingPointTy())
      first = first ? first : arg->getType();
  if (!first || !(first->isFloatTy() || first->isDoubleTy()))
    return nullptr;
  MathCall math{symbol, first->isFloatTy()};
  if (math.isFloat && !math.name.consume_back("f"))
    return nullptr;
  if (const MathFunction *function = byName.lookup(math.name)) {
    if (type != first || !all_of(call.args(), [&](Value *arg) {
          return arg->getType() == type;
        }))
      return nullptr;
    SmallVector<Value *> args(call.args());
    return callLibrary(*function, args);
  }
  if (Value *exact = mapExact(call, math))
    return exact;
  return mapPointerCall(call, math);
}

Value *MathMapper::map(Instruction &inst) {
  builder.SetInsertPoint(&inst);
  builder.setFastMathFlags(isa<FPMathOperator>(inst) ? inst.getFastMathFlags()
                                                     : FastMathFlags());
  // The back ends compute `frem` from an inexact quotient.
  if (inst.getOpcode() == Instruction::FRem)
    return callByName("fmod", {inst.getOperand(0), inst.getOperand(1)});
  auto *call = dyn_cast<CallInst>(&inst);
  Function *callee = call ? call->getCalledFunction() : nullptr;
  if (!callee || !callee->isDeclaration())
    return nullptr;
  return callee->isIntrinsic() ? mapIntrinsic(*call) : mapNamedCall(*call);
}

void MathMapper::run() {
  for (Function &function : module)
    for (Instruction &inst : make_early_inc_range(instructions(function))) {
      Value *replacement = map(inst);
      if (!replacement)
        continue;
      if (!inst.getType()->isVoidTy()) {
        inst.replaceAllUsesWith(replacement);
        if (auto *named = dyn_cast<Instruction>(replacement))
          named->takeName(&inst);
      }
      inst.eraseFromParent();
    }
}

void mapMathFunctions(Module &module, TargetAttr target) {
  MathMapper(module, target.getVendor() == Vendor::NVIDIA).run();
}

} // namespace gpuopt
