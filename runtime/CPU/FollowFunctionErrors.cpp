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
/// to a half.
Shadow ErrorFollower::squareRoot(IRBuilderBase &ir, CallInst &call) {
  Value *relative = relativeError(ir, call.getArgOperand(0), /*growth=*/1);
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
  Value *off = ir.CreateFMul(distance(ir, argument), constant(type, 4.01));
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

/// The logarithm of 1 + x, to any base, is within 3 x for x up to a half.
Shadow ErrorFollower::logarithm(IRBuilderBase &ir, CallInst &call) {
  Value *relative = relativeError(ir, call.getArgOperand(0), /*growth=*/3);
  Value *magnitude = ir.CreateFAdd(
      ir.CreateUnaryIntrinsic(Intrinsic::fabs, widened(ir, &call)),
      constant(call.getType(), 1));
  return {magnitude, rounded(ir, call, relative, /*units=*/3)};
}

/// What `call` computes, as C names it for doubles; empty where that is not
/// known.
static StringRef functionOf(const CallInst &call) {
  switch (call.getIntrinsicID()) {
  case Intrinsic::exp:
  case Intrinsic::exp2:
    return "exp";
  case Intrinsic::log:
  case Intrinsic::log2:
  case Intrinsic::log10:
    return "log";
  case Intrinsic::cos:
    return "cos";
  case Intrinsic::not_intrinsic:
    break;
  default:
    return "";
  }
  const Function *callee = call.getCalledFunction();
  return StringSwitch<StringRef>(callee ? callee->getName() : "")
      .Cases({"exp", "expf", "exp2", "exp2f"}, "exp")
      .Cases({"log", "logf", "log2", "log2f", "log10", "log10f"}, "log")
      .Cases({"cos", "cosf"}, "cos")
      .Cases({"rsqrt", "rsqrtf"}, "rsqrt")
      .Cases({"erf", "erff"}, "erf")
      .Default("");
}

/// Functions that take numbers no further apart than they are, and make none
/// larger than it is.
static bool isContraction(const CallInst &call) {
  if (call.getIntrinsicID() != Intrinsic::not_intrinsic)
    return call.getIntrinsicID() == Intrinsic::tanh ||
           call.getIntrinsicID() == Intrinsic::sin ||
           call.getIntrinsicID() == Intrinsic::atan;
  const Function *callee = call.getCalledFunction();
  return callee &&
         is_contained({"tanh", "tanhf", "sin", "sinf", "atan", "atanf"},
                      callee->getName());
}

Shadow ErrorFollower::followCall(IRBuilderBase &ir, CallInst &call) {
  Type *type = call.getType();
  if (isContraction(call)) {
    Shadow argument = of(call.getArgOperand(0));
    return {ir.CreateFAdd(argument.magnitude, constant(type, smallestOf(type))),
            rounded(ir, call, argument.roundings, /*units=*/2)};
  }
  StringRef function = functionOf(call);
  if (function == "exp")
    return exponential(ir, call);
  if (function == "log")
    return logarithm(ir, call);
  if (function == "rsqrt")
    return squareRoot(ir, call);
  if (function == "erf") {
    // Nowhere steeper than 2 / sqrt(pi), which is less than 1.13.
    Shadow argument = of(call.getArgOperand(0));
    return {
        ir.CreateFAdd(ir.CreateFMul(argument.magnitude, constant(type, 1.13)),
                      constant(type, smallestOf(type))),
        rounded(ir, call, argument.roundings, /*units=*/4)};
  }
  if (function == "cos") {
    Shadow argument = of(call.getArgOperand(0));
    return {ir.CreateFAdd(argument.magnitude, constant(type, 1)),
            rounded(ir, call, argument.roundings, /*units=*/2)};
  }
  switch (call.getIntrinsicID()) {
  case Intrinsic::fabs:
    return of(call.getArgOperand(0));
  case Intrinsic::sqrt:
    return squareRoot(ir, call);
  case Intrinsic::fma: {
    Shadow a = of(call.getArgOperand(0)), b = of(call.getArgOperand(1)),
           c = of(call.getArgOperand(2));
    Shadow product = {ir.CreateFAdd(ir.CreateFMul(a.magnitude, b.magnitude),
                                    constant(type, smallestOf(type))),
                      ir.CreateFAdd(a.roundings, b.roundings)};
    return sum(ir, call, product, c);
  }
  case Intrinsic::maximum:
  case Intrinsic::minimum:
  case Intrinsic::maximumnum:
  case Intrinsic::minimumnum: {
    Shadow a = of(call.getArgOperand(0)), b = of(call.getArgOperand(1));
    return partwise(
        [&](auto part) { return ir.CreateMaximum(part(a), part(b)); });
  }
  default:
    // What else the function writes is taken for exact.
    if (any_of(call.args(), [](const Use &argument) {
          return argument->getType()->isPointerTy();
        }))
      loseInexact(ir, call);
    return unknown(ir, call);
  }
}
