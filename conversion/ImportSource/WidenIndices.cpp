//===- WidenIndices.cpp - keep what is known of an index ------------------===//
//
// LLVM makes `i * (m + 1)` of `i * m + i`, in 32 bits without `nsw`: that the
// index cannot wrap, which the language promises, is lost. Computed in 64 bits
// before that, the sum may be factored without harm.
//
//===----------------------------------------------------------------------===//

#include "conversion/ImportSource/CleanUp.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace gpuopt;

/// `value` as a sum, difference or product that does not wrap as signed.
static BinaryOperator *asExact(Value *value) {
  auto *operation = dyn_cast<BinaryOperator>(value);
  if (!operation ||
      !is_contained({Instruction::Add, Instruction::Sub, Instruction::Mul},
                    operation->getOpcode()))
    return nullptr;
  return operation->hasNoSignedWrap() ? operation : nullptr;
}

/// Operations of the indices that are looked at. Each use of a value counts, as
/// it is computed anew: chains of sums double with each link.
static constexpr size_t maxOperations = 128;

/// Whether `value` has no more exact operations than `budget`, which shrinks.
static bool isSmall(Value *value, size_t &budget) {
  BinaryOperator *operation = asExact(value);
  if (!operation)
    return true;
  if (!budget)
    return false;
  --budget;
  return isSmall(operation->getOperand(0), budget) &&
         isSmall(operation->getOperand(1), budget);
}

static void collectFactors(Value *value, SmallVectorImpl<Value *> &factors) {
  auto *product = dyn_cast<BinaryOperator>(value);
  if (!product || product->getOpcode() != Instruction::Mul ||
      factors.size() >= maxOperations) {
    factors.push_back(value);
    return;
  }
  collectFactors(product->getOperand(0), factors);
  collectFactors(product->getOperand(1), factors);
}

/// Whether a sum in `value` has summands that share a factor.
static bool mayBeFactored(Value *value) {
  BinaryOperator *operation = asExact(value);
  if (!operation)
    return false;
  Value *left = operation->getOperand(0), *right = operation->getOperand(1);
  if (operation->getOpcode() != Instruction::Mul) {
    SmallVector<Value *> leftFactors, rightFactors;
    collectFactors(left, leftFactors);
    collectFactors(right, rightFactors);
    if (any_of(leftFactors, [&](Value *factor) {
          return !isa<Constant>(factor) && is_contained(rightFactors, factor);
        }))
      return true;
  }
  return mayBeFactored(left) || mayBeFactored(right);
}

static bool isWorthWidening(Value *value) {
  size_t budget = maxOperations;
  return isSmall(value, budget) && mayBeFactored(value);
}

/// `value`, extended to `type`, with exact operations done in `type`.
static Value *widen(IRBuilder<> &builder, Value *value, Type *type) {
  BinaryOperator *operation = asExact(value);
  if (!operation)
    return builder.CreateSExt(value, type);
  Value *left = widen(builder, operation->getOperand(0), type);
  Value *right = widen(builder, operation->getOperand(1), type);
  Value *wide = builder.CreateBinOp(operation->getOpcode(), left, right);
  if (auto *instruction = dyn_cast<Instruction>(wide))
    instruction->setHasNoSignedWrap();
  return wide;
}

/// The parameter that `pointer` is, if it is one. AMD's calling convention hands
/// over addresses of global memory, which Clang turns to integers and back.
static const Argument *getParameter(const Value *pointer) {
  pointer = pointer->stripPointerCasts();
  const Value *source;
  if (match(pointer, m_IntToPtr(m_PtrToInt(m_Value(source)))))
    pointer = source->stripPointerCasts();
  return dyn_cast<Argument>(pointer);
}

/// Whether `address`, from a parameter on, is one step by a 32-bit number.
static bool isNarrowStep(const GetElementPtrInst &address) {
  if (!getParameter(address.getPointerOperand()) ||
      address.getNumIndices() != 1)
    return false;
  const Value *index = *address.idx_begin();
  if (const auto *constant = dyn_cast<ConstantInt>(index))
    return constant->getValue().isSignedIntN(32);
  const auto *extension = dyn_cast<SExtInst>(index);
  return extension && extension->getSrcTy()->getIntegerBitWidth() <= 32;
}

bool gpuopt::hasNarrowPositions(const Function &function) {
  return all_of(instructions(function), [](const Instruction &instruction) {
    if (const auto *address = dyn_cast<GetElementPtrInst>(&instruction))
      return !getParameter(getUnderlyingObject(address)) ||
             isNarrowStep(*address);
    return !instruction.getType()->isPointerTy() ||
           isa<AllocaInst, AddrSpaceCastInst>(instruction) ||
           getParameter(&instruction);
  });
}

bool gpuopt::widenIndices(Function &function) {
  SmallVector<SExtInst *> extensions;
  for (Instruction &instruction : instructions(function))
    if (auto *extension = dyn_cast<SExtInst>(&instruction))
      if (extension->getType()->isIntegerTy(64) &&
          isWorthWidening(extension->getOperand(0)))
        extensions.push_back(extension);
  for (SExtInst *extension : extensions) {
    IRBuilder<> builder(extension);
    Value *narrow = extension->getOperand(0);
    extension->replaceAllUsesWith(widen(builder, narrow, extension->getType()));
    extension->eraseFromParent();
    RecursivelyDeleteTriviallyDeadInstructions(narrow);
  }
  return !extensions.empty();
}
