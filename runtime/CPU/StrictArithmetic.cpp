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

/// The intrinsic that does what `call` does with nothing left open; none where
/// the call leaves nothing open.
static Intrinsic::ID strictMinMax(const CallInst &call) {
  switch (call.getIntrinsicID()) {
  case Intrinsic::maxnum:
    return Intrinsic::maximumnum;
  case Intrinsic::minnum:
    return Intrinsic::minimumnum;
  case Intrinsic::not_intrinsic:
    break;
  default:
    return Intrinsic::not_intrinsic;
  }
  return StringSwitch<Intrinsic::ID>(call.getCalledFunction()->getName())
      .Cases({"fmax", "fmaxf"}, Intrinsic::maximumnum)
      .Cases({"fmin", "fminf"}, Intrinsic::minimumnum)
      .Default(Intrinsic::not_intrinsic);
}

/// What to put in the place of `call`; null where it stays.
static Value *strictCall(IRBuilderBase &ir, CallInst &call) {
  if (call.getIntrinsicID() == Intrinsic::fmuladd)
    return ir.CreateFAdd(
        ir.CreateFMul(call.getArgOperand(0), call.getArgOperand(1)),
        call.getArgOperand(2));
  Intrinsic::ID minMax = strictMinMax(call);
  if (minMax == Intrinsic::not_intrinsic)
    return nullptr;
  return ir.CreateBinaryIntrinsic(minMax, call.getArgOperand(0),
                                  call.getArgOperand(1));
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
    if (isa<FPMathOperator>(instruction))
      instruction.copyFastMathFlags(FastMathFlags());
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
