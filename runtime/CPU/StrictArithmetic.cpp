//===- StrictArithmetic.cpp - the same roundings wherever code stands -----===//
//
// What a GPU's compiler may do with floating point (fuse a product and a sum,
// reorder, take reciprocals) the host's would do here and not there, as it
// suits the code around. Two kernels that do the same operations are to give
// the same bits, so the host gets no such leave: only an `fma` of the source is
// fused. Minima and maxima tell zeros apart, as those of GPUs do (+0.0 > -0.0),
// so that their order does not matter.
//
//===----------------------------------------------------------------------===//

#include "runtime/CPU/KernelBuilder.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace gpuopt;
using namespace gpuopt::runtime;

/// What the minimum or maximum that `call` takes is of numbers; none where it
/// takes none.
static Intrinsic::ID minMaxOfNumbers(const CallInst &call) {
  switch (call.getIntrinsicID()) {
  case Intrinsic::maxnum:
  case Intrinsic::maximumnum:
    return Intrinsic::maximum;
  case Intrinsic::minnum:
  case Intrinsic::minimumnum:
    return Intrinsic::minimum;
  case Intrinsic::not_intrinsic:
    break;
  default:
    return Intrinsic::not_intrinsic;
  }
  return StringSwitch<Intrinsic::ID>(call.getCalledFunction()->getName())
      .Cases({"fmax", "fmaxf"}, Intrinsic::maximum)
      .Cases({"fmin", "fminf"}, Intrinsic::minimum)
      .Default(Intrinsic::not_intrinsic);
}

/// The minimum or maximum of `left` and `right`, or the one that is a number.
/// `minimumnum` would say the same, but LLVM 22 computes NaN for it on x86
/// where one is NaN and the other comes from an integer (`minss` with both
/// exchanged).
static Value *createMinMax(IRBuilderBase &ir, Intrinsic::ID minMax, Value *left,
                           Value *right) {
  Value *number = ir.CreateBinaryIntrinsic(minMax, left, right);
  number = ir.CreateSelect(ir.CreateFCmpUNO(left, left), right, number);
  return ir.CreateSelect(ir.CreateFCmpUNO(right, right), left, number);
}

/// The back end would round to float first.
static Value *fuseBFloats(IRBuilderBase &ir, CallInst &call) {
  Type *element = call.getType()->getScalarType();
  FunctionCallee fuse = call.getModule()->getOrInsertFunction(
      "gpuopt_fma_bf16", element, element, element, element);
  SmallVector<Value *, 3> operands(call.args());
  auto *vector = dyn_cast<FixedVectorType>(call.getType());
  if (!vector)
    return ir.CreateCall(fuse, operands);
  Value *result = PoisonValue::get(vector);
  for (uint64_t lane = 0; lane < vector->getNumElements(); ++lane) {
    SmallVector<Value *, 3> elements;
    for (Value *operand : operands)
      elements.push_back(ir.CreateExtractElement(operand, lane));
    result =
        ir.CreateInsertElement(result, ir.CreateCall(fuse, elements), lane);
  }
  return result;
}

/// What to put in the place of `call`; null where it stays.
static Value *strictCall(IRBuilderBase &ir, CallInst &call) {
  if (call.getIntrinsicID() == Intrinsic::fmuladd)
    return ir.CreateFAdd(
        ir.CreateFMul(call.getArgOperand(0), call.getArgOperand(1)),
        call.getArgOperand(2));
  if (call.getIntrinsicID() == Intrinsic::fma &&
      call.getType()->getScalarType()->isBFloatTy())
    return fuseBFloats(ir, call);
  Intrinsic::ID minMax = minMaxOfNumbers(call);
  if (minMax == Intrinsic::not_intrinsic)
    return nullptr;
  return createMinMax(ir, minMax, call.getArgOperand(0), call.getArgOperand(1));
}

/// Promises that no NaN or infinity comes.
static void dropPromises(CallInst &call) {
  if (call.getType()->isFPOrFPVectorTy())
    call.removeRetAttr(Attribute::NoFPClass);
  for (unsigned index = 0; index < call.arg_size(); ++index)
    call.removeParamAttr(index, Attribute::NoFPClass);
}

void gpuopt::runtime::makeArithmeticStrict(KernelBuilder &kernel) {
  SmallVector<CallInst *> calls;
  for (Instruction &instruction : instructions(*kernel.function)) {
    if (isa<FPMathOperator>(instruction)) {
      // It is computed exactly here; how far others may be off stays known.
      if (instruction.hasApproxFunc())
        instruction.setMetadata(approximateMetadata,
                                MDNode::get(kernel.context, {}));
      instruction.copyFastMathFlags(FastMathFlags());
    }
    instruction.setMetadata(LLVMContext::MD_fpmath, nullptr);
    if (auto *call = dyn_cast<CallInst>(&instruction))
      calls.push_back(call);
  }
  for (CallInst *call : calls) {
    dropPromises(*call);
    IRBuilder<> ir(call);
    Value *strict = strictCall(ir, *call);
    if (!strict)
      continue;
    call->replaceAllUsesWith(strict);
    call->eraseFromParent();
  }
}
