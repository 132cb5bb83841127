//===- OpenArithmetic.cpp - what C leaves open, as the GPU does it --------===//
//
// Numbers that an integer cannot hold, and shifts by as many bits as there are:
// LLVM knows no result, and the host's processor gives another one than a GPU.
// The result here is what the back end's instruction gives, so that a kernel
// and the text that is written for it agree.
//
//===----------------------------------------------------------------------===//

#include "runtime/CPU/KernelBuilder.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/KnownBits.h"

using namespace llvm;
using namespace gpuopt;
using namespace gpuopt::runtime;

/// Saturates. There are no instructions for less than 16 bits: the rest is cut
/// off. What is no number is zero, but on NVIDIA's GPUs the highest bit alone
/// where f64 or 64 bits are involved (`cvt` of the PTX ISA).
static Value *convert(const KernelBuilder &kernel, CastInst &conversion) {
  IRBuilder<> ir(&conversion);
  Value *value = conversion.getOperand(0);
  Type *result = conversion.getType();
  unsigned bits = result->getScalarSizeInBits();
  bool isByte = !kernel.isAMD && bits == 8;
  if (isByte)
    bits = 16;
  Type *type = result->getWithNewBitWidth(bits);
  // LLVM 22 takes a half that is no number for the smallest one on x86.
  if (value->getType()->getScalarSizeInBits() < 32)
    value = ir.CreateFPExt(value,
                           value->getType()->getWithNewType(ir.getFloatTy()));
  Value *number = ir.CreateIntrinsic(
      conversion.getOpcode() == Instruction::FPToSI ? Intrinsic::fptosi_sat
                                                    : Intrinsic::fptoui_sat,
      {type, value->getType()}, {value});
  bool isWide = bits == 64 || value->getType()->getScalarSizeInBits() == 64;
  if (!kernel.isAMD && isWide)
    number = ir.CreateSelect(
        ir.CreateFCmpUNO(value, value),
        ConstantInt::get(type, APInt::getSignedMinValue(bits)), number);
  return isByte ? ir.CreateTrunc(number, result) : number;
}

/// NVIDIA's instructions take 32 bits of the amount, and all that are too many
/// are as many as there are; AMD's take no more bits than that needs.
static void clampShift(const KernelBuilder &kernel, BinaryOperator &shift) {
  Type *type = shift.getType();
  Value *amount = shift.getOperand(1);
  unsigned bits = type->getScalarSizeInBits();
  if (computeKnownBits(amount, kernel.module.getDataLayout())
          .getMaxValue()
          .ult(bits))
    return;
  IRBuilder<> ir(&shift);
  if (kernel.isAMD)
    amount = ir.CreateAnd(amount, std::max(bits, 16u) - 1);
  else if (bits > 32)
    amount = ir.CreateAnd(amount, 0xffff'ffff);
  Value *isTooMuch = ir.CreateICmpUGE(amount, ConstantInt::get(type, bits));
  bool keepsSign = shift.getOpcode() == Instruction::AShr;
  shift.setOperand(
      1, ir.CreateSelect(isTooMuch,
                         ConstantInt::get(type, keepsSign ? bits - 1 : 0),
                         amount));
  if (keepsSign)
    return;
  ir.SetInsertPoint(shift.getNextNode());
  auto *clamped = cast<SelectInst>(
      ir.CreateSelect(isTooMuch, Constant::getNullValue(type), &shift));
  shift.replaceUsesWithIf(clamped,
                          [&](Use &use) { return use.getUser() != clamped; });
}

void gpuopt::runtime::settleArithmetic(KernelBuilder &kernel) {
  for (Instruction &instruction :
       make_early_inc_range(instructions(*kernel.function))) {
    // They promise what nobody has proven.
    instruction.dropPoisonGeneratingFlags();
    if (isa<FPToSIInst, FPToUIInst>(instruction)) {
      instruction.replaceAllUsesWith(
          convert(kernel, cast<CastInst>(instruction)));
      instruction.eraseFromParent();
    } else if (instruction.isShift()) {
      clampShift(kernel, cast<BinaryOperator>(instruction));
    }
  }
}
