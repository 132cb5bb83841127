//===- NotNumbers.cpp - which NaN an operation gives ----------------------===//
//
// LLVM leaves open which of the many NaNs an operation gives, and the host's
// processor hands on one of its operands', whichever comes first. NVIDIA's
// GPUs give one for 16 and 32 bits each, 0x7fff and 0x7fffffff, which matters
// where somebody looks at the bits: an integer is made of them, or they are
// stored, perhaps in an array of integers.
//
//   store float (a + b), p  →  n = bits of a + b
//                              store i32 (n is a NaN ? 0x7fffffff : n), p
//
// What is only copied stays what it was, as on a GPU. Numbers are chosen among
// as integers: LLVM drops a choice between two NaNs.
//
//===----------------------------------------------------------------------===//

#include "runtime/CPU/KernelBuilder.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace gpuopt;
using namespace gpuopt::runtime;

namespace {

class NotNumbers {
public:
  explicit NotNumbers(Function &function) : function(function) {}

  void run();

private:
  /// Where a number comes from, through choices and parts of vectors.
  struct Origins {
    SmallSetVector<Instruction *, 8> computed;
    bool hasCopies = false;
  };
  Origins originsOf(Value *value) const;
  Value *settledBits(IRBuilderBase &ir, Value *value);
  void settle(Instruction &instruction);

  Function &function;
  SmallPtrSet<Instruction *, 16> settled;
};

} // namespace

static bool isOpenNumber(const Type *type) {
  const Type *scalar = type->getScalarType();
  return scalar->isHalfTy() || scalar->isBFloatTy() || scalar->isFloatTy();
}

/// The operands that a value is one of, or has parts of, or the sign of another
/// number is put on; none where it is computed, or copied.
static SmallVector<Value *, 4> choicesOf(Instruction &instruction) {
  if (auto *phi = dyn_cast<PHINode>(&instruction))
    return SmallVector<Value *, 4>(phi->incoming_values());
  if (auto *choice = dyn_cast<SelectInst>(&instruction))
    return {choice->getTrueValue(), choice->getFalseValue()};
  if (isa<InsertElementInst, ShuffleVectorInst>(instruction))
    return {instruction.getOperand(0), instruction.getOperand(1)};
  if (isa<ExtractElementInst, FreezeInst>(instruction) ||
      instruction.getOpcode() == Instruction::FNeg)
    return {instruction.getOperand(0)};
  auto *call = dyn_cast<IntrinsicInst>(&instruction);
  if (call && (call->getIntrinsicID() == Intrinsic::fabs ||
               call->getIntrinsicID() == Intrinsic::copysign))
    return {call->getArgOperand(0)};
  return {};
}

static bool isComputed(const Instruction &instruction) {
  return isa<BinaryOperator, FPTruncInst, FPExtInst, CallInst>(instruction);
}

NotNumbers::Origins NotNumbers::originsOf(Value *value) const {
  Origins origins;
  SmallSetVector<Value *, 8> reached;
  reached.insert(value);
  for (size_t i = 0; i < reached.size(); ++i) {
    auto *instruction = dyn_cast<Instruction>(reached[i]);
    // Constants are what they are on a GPU.
    if (!instruction) {
      origins.hasCopies |= !isa<Constant>(reached[i]);
      continue;
    }
    SmallVector<Value *, 4> choices = choicesOf(*instruction);
    if (!choices.empty())
      reached.insert_range(choices);
    else if (isComputed(*instruction))
      origins.computed.insert(instruction);
    else
      origins.hasCopies |= !isa<SIToFPInst, UIToFPInst>(instruction);
  }
  return origins;
}

/// The bits of `value`, those of the one NaN where it is any.
static Value *chooseBits(IRBuilderBase &ir, Value *value) {
  Type *type = value->getType(), *scalar = type->getScalarType();
  unsigned width = scalar->getPrimitiveSizeInBits();
  Type *bitsType = type->getWithNewType(ir.getIntNTy(width));
  APInt infinity = APFloat::getInf(scalar->getFltSemantics()).bitcastToAPInt();
  Value *notNumber =
      ConstantInt::get(bitsType, APInt::getSignedMaxValue(width));
  Value *bits = ir.CreateBitCast(value, bitsType);
  Value *isNone = ir.CreateICmpUGT(ir.CreateAnd(bits, notNumber),
                                   ConstantInt::get(bitsType, infinity));
  return ir.CreateSelect(isNone, notNumber, bits);
}

/// Where all that `value` may be is computed, its bits are settled here; where
/// some of it is copied, what is computed is settled where that is done.
Value *NotNumbers::settledBits(IRBuilderBase &ir, Value *value) {
  Origins origins = originsOf(value);
  if (origins.computed.empty())
    return nullptr;
  if (!origins.hasCopies)
    return chooseBits(ir, value);
  for (Instruction *computed : origins.computed) {
    if (!settled.insert(computed).second || computed->isTerminator())
      continue;
    IRBuilder<> behind(computed->getNextNode());
    behind.SetCurrentDebugLocation(computed->getDebugLoc());
    Value *bits = chooseBits(behind, computed);
    Value *number = behind.CreateBitCast(bits, computed->getType());
    computed->replaceUsesWithIf(number, [&](Use &use) {
      auto *user = cast<Instruction>(use.getUser());
      return user != number && !choicesOf(*user).empty();
    });
  }
  return nullptr;
}

void NotNumbers::settle(Instruction &instruction) {
  IRBuilder<> ir(&instruction);
  if (auto *store = dyn_cast<StoreInst>(&instruction)) {
    if (Value *bits = settledBits(ir, store->getValueOperand()))
      store->setOperand(0, bits);
    return;
  }
  if (Value *bits = settledBits(ir, instruction.getOperand(0)))
    instruction.setOperand(0, bits);
}

void NotNumbers::run() {
  SmallVector<Instruction *> observers;
  for (Instruction &instruction : instructions(function)) {
    auto *store = dyn_cast<StoreInst>(&instruction);
    bool isStored = store && isOpenNumber(store->getValueOperand()->getType());
    // As an integer, or as a number of another format.
    bool isRead = isa<BitCastInst>(instruction) &&
                  isOpenNumber(instruction.getOperand(0)->getType());
    if (isStored || isRead)
      observers.push_back(&instruction);
  }
  for (Instruction *observer : observers)
    settle(*observer);
}

void gpuopt::runtime::settleNotNumbers(KernelBuilder &kernel) {
  if (!kernel.isAMD)
    NotNumbers(*kernel.function).run();
}
