//===- FollowFunctionErrors.cpp - rounding errors of functions ------------===//
//
// How far the results of calls may be off. A function is off by what its
// argument is, and by how it is computed where that may be another way.
//
//===----------------------------------------------------------------------===//

#include "runtime/CPU/ErrorFollower.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace gpuopt;
using namespace gpuopt::runtime;

/// The root of 1 + x, and one through it, are between 1 - x and 1 + x for x up
/// to a third.
Shadow ErrorFollower::squareRoot(IRBuilderBase &ir, CallInst &call) {
  Value *relative = relativeError(ir, call.getArgOperand(0));
  Value *magnitude = ir.CreateFAdd(
      ir.CreateUnaryIntrinsic(Intrinsic::fabs, widened(ir, &call)),
      constant(call.getType(), smallestOf(call.getType())));
  return {magnitude, rounded(ir, call, relative, /*units=*/3)};
}

/// e^(x + d) is up to 1 + 1.3 d times e^x for d below a half. Where it may be
/// computed in another way that is often 2^(x log2 e), whose exponent is
/// rounded.
Shadow ErrorFollower::exponential(IRBuilderBase &ir, CallInst &call) {
  Type *type = call.getType();
  Shadow argument = of(call.getArgOperand(0));
  Value *off = absoluteError(ir, argument);
  Value *relative = ir.CreateSelect(
      ir.CreateFCmpOEQ(argument.roundings, constant(type, 0)),
      constant(type, 0),
      ir.CreateSelect(ir.CreateFCmpOLT(off, constant(type, 0.5)),
                      ir.CreateFMul(off, constant(type, 1.3)),
                      constant(type, unknownRoundings)));
  if (isLoose(call))
    relative =
        ir.CreateFAdd(relative, ir.CreateFMul(argument.magnitude,
                                              constant(type, unitOf(type))));
  Value *magnitude = ir.CreateFAdd(
      ir.CreateUnaryIntrinsic(Intrinsic::fabs, widened(ir, &call)),
      constant(type, smallestOf(type)));
  return {magnitude, rounded(ir, call, relative, /*units=*/3)};
}

/// x^y or 10^x where the hardware approximates it, as a power of two: what that
/// exponent is off by, the result's logarithm tells.
Shadow ErrorFollower::approximatePower(IRBuilderBase &ir, CallInst &call) {
  Type *type = call.getType();
  Shadow shadow = unknown(ir, call);
  Value *size = ir.CreateFAdd(
      ir.CreateUnaryIntrinsic(Intrinsic::fabs, widened(ir, &call)),
      constant(type, smallestOf(type)));
  Value *exponent = ir.CreateUnaryIntrinsic(
      Intrinsic::fabs, ir.CreateUnaryIntrinsic(Intrinsic::log2, size));
  if (isLoose(call))
    shadow.roundings = ir.CreateFAdd(
        shadow.roundings,
        ir.CreateFMul(exponent, constant(type, 3 * unitOf(type))));
  return shadow;
}

/// The logarithm of 1 + x, to any base, is within 3 x for x up to a third.
Shadow ErrorFollower::logarithm(IRBuilderBase &ir, CallInst &call) {
  Value *relative = ir.CreateFMul(relativeError(ir, call.getArgOperand(0)),
                                  constant(call.getType(), 3));
  Value *magnitude = ir.CreateFAdd(
      ir.CreateUnaryIntrinsic(Intrinsic::fabs, widened(ir, &call)),
      constant(call.getType(), 1));
  return {magnitude, rounded(ir, call, relative, /*units=*/3)};
}

/// A function that is zero at zero, nowhere steeper than `slope`, and nowhere
/// larger than `most`: sines and the like.
Shadow ErrorFollower::bounded(IRBuilderBase &ir, CallInst &call, double slope,
                              double most) {
  Type *type = call.getType();
  Shadow argument = of(call.getArgOperand(0));
  Value *steepest = ir.CreateFMul(argument.magnitude, constant(type, slope));
  Value *isSmall = ir.CreateFCmpOLT(steepest, constant(type, most));
  // Magnitude times roundings is what it is of the argument, times the slope.
  Value *roundings = ir.CreateSelect(
      isSmall, argument.roundings,
      ir.CreateFMul(distance(ir, argument), constant(type, slope / most)));
  Value *magnitude = ir.CreateSelect(isSmall, steepest, constant(type, most));
  return {ir.CreateFAdd(magnitude, constant(type, smallestOf(type))),
          rounded(ir, call, roundings, /*units=*/3)};
}

/// No steeper than the identity, and one where the argument is nothing.
Shadow ErrorFollower::cosine(IRBuilderBase &ir, CallInst &call) {
  Type *type = call.getType();
  Shadow argument = of(call.getArgOperand(0));
  return {constant(type, 1),
          rounded(ir, call, distance(ir, argument), /*units=*/3)};
}

Shadow ErrorFollower::fused(IRBuilderBase &ir, CallInst &call) {
  Shadow a = of(call.getArgOperand(0)), b = of(call.getArgOperand(1));
  Shadow product = {
      ir.CreateFAdd(ir.CreateFMul(a.magnitude, b.magnitude),
                    constant(call.getType(), smallestOf(call.getType()))),
      ir.CreateFAdd(a.roundings, b.roundings)};
  return sum(ir, call, product, of(call.getArgOperand(2)));
}

namespace {
enum class FunctionKind {
  Other,
  Absolute,
  Root,
  InverseRoot,
  Fused,
  Extreme,
  Exponential,
  ApproximatePower,
  Logarithm,
  Cosine,
  /// No steeper than the identity, and no further from zero than one.
  Contraction,
  ArcTangent,
  ErrorFunction
};
} // namespace

static FunctionKind kindOfIntrinsic(Intrinsic::ID id) {
  switch (id) {
  case Intrinsic::fabs:
    return FunctionKind::Absolute;
  case Intrinsic::sqrt:
    return FunctionKind::Root;
  case Intrinsic::fma:
    return FunctionKind::Fused;
  case Intrinsic::maximum:
  case Intrinsic::minimum:
  case Intrinsic::maximumnum:
  case Intrinsic::minimumnum:
    return FunctionKind::Extreme;
  case Intrinsic::exp:
  case Intrinsic::exp2:
    return FunctionKind::Exponential;
  case Intrinsic::log:
  case Intrinsic::log2:
  case Intrinsic::log10:
    return FunctionKind::Logarithm;
  case Intrinsic::cos:
    return FunctionKind::Cosine;
  case Intrinsic::sin:
  case Intrinsic::tanh:
    return FunctionKind::Contraction;
  case Intrinsic::atan:
    return FunctionKind::ArcTangent;
  default:
    return FunctionKind::Other;
  }
}

static FunctionKind kindOf(const CallInst &call) {
  bool isPower = call.getIntrinsicID() == Intrinsic::pow ||
                 call.getIntrinsicID() == Intrinsic::exp10;
  if (isPower && call.getMetadata(approximateMetadata))
    return FunctionKind::ApproximatePower;
  if (call.getIntrinsicID() != Intrinsic::not_intrinsic)
    return kindOfIntrinsic(call.getIntrinsicID());
  const Function *callee = call.getCalledFunction();
  return StringSwitch<FunctionKind>(callee ? callee->getName() : "")
      .Cases({"exp", "expf", "exp2", "exp2f"}, FunctionKind::Exponential)
      .Cases({"log", "logf", "log2", "log2f", "log10", "log10f"},
             FunctionKind::Logarithm)
      .Cases({"cos", "cosf"}, FunctionKind::Cosine)
      .Cases({"sin", "sinf", "tanh", "tanhf"}, FunctionKind::Contraction)
      .Cases({"atan", "atanf"}, FunctionKind::ArcTangent)
      .Cases({"erf", "erff"}, FunctionKind::ErrorFunction)
      .Cases({"rsqrt", "rsqrtf"}, FunctionKind::InverseRoot)
      .Case("gpuopt_fma_bf16", FunctionKind::Fused)
      .Default(FunctionKind::Other);
}

Shadow ErrorFollower::followCall(IRBuilderBase &ir, CallInst &call) {
  switch (kindOf(call)) {
  case FunctionKind::Absolute:
    return of(call.getArgOperand(0));
  case FunctionKind::Root:
  case FunctionKind::InverseRoot:
    return squareRoot(ir, call);
  case FunctionKind::Fused:
    return fused(ir, call);
  case FunctionKind::Extreme: {
    Shadow a = of(call.getArgOperand(0)), b = of(call.getArgOperand(1));
    return partwise(
        [&](auto part) { return ir.CreateMaximum(part(a), part(b)); });
  }
  case FunctionKind::Exponential:
    return exponential(ir, call);
  case FunctionKind::ApproximatePower:
    return approximatePower(ir, call);
  case FunctionKind::Logarithm:
    return logarithm(ir, call);
  case FunctionKind::Cosine:
    return cosine(ir, call);
  case FunctionKind::Contraction:
    return bounded(ir, call, /*slope=*/1, /*most=*/1);
  case FunctionKind::ArcTangent:
    return bounded(ir, call, /*slope=*/1, /*most=*/1.58);
  case FunctionKind::ErrorFunction:
    // 2 / sqrt(pi) is less than 1.13.
    return bounded(ir, call, /*slope=*/1.13, /*most=*/1);
  case FunctionKind::Other:
    break;
  }
  // What else the function writes is taken for exact.
  if (any_of(call.args(), [](const Use &argument) {
        return argument->getType()->isPointerTy();
      }))
    loseInexact(ir, call);
  return unknown(ir, call);
}
