//===- ComparedPointers.cpp - parameters that are ends of arrays ----------===//

#include "tools/lib/launch/ComparedPointers.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace gpuopt;

/// The pointer that `value` is, or is the address of.
static const Value *pointerOf(const Value *value) {
  if (value->getType()->isPointerTy())
    return value;
  const Value *pointer = nullptr;
  return match(value, m_PtrToInt(m_Value(pointer))) ? pointer : nullptr;
}

/// The one parameter whose array `pointer` points into.
static const Argument *parameterOf(const Value *pointer) {
  SmallVector<const Value *> objects;
  getUnderlyingObjects(pointer, objects, nullptr, /*MaxLookup=*/0);
  return objects.size() == 1 ? dyn_cast<Argument>(objects.front()) : nullptr;
}

/// Whether `value` may differ from one iteration of a loop to the next, or,
/// where `withThreads` says so, from thread to thread: it is computed from what
/// a loop or a call gives.
static bool varies(const Value *value, bool withThreads) {
  SmallSetVector<const Value *, 16> pending;
  pending.insert(value);
  for (size_t i = 0; i < pending.size(); ++i) {
    const auto *instruction = dyn_cast<Instruction>(pending[i]);
    if (!instruction || isa<LoadInst>(instruction))
      continue;
    if (isa<PHINode>(instruction) ||
        (withThreads && isa<CallBase>(instruction)))
      return true;
    for (const llvm::Use &operand : instruction->operands())
      pending.insert(operand.get());
  }
  return false;
}

std::optional<std::pair<unsigned, unsigned>>
gpuopt::findComparedPointers(const Module &module, StringRef kernel) {
  const Function *function = module.getFunction(kernel);
  if (!function)
    return std::nullopt;
  for (const Instruction &instruction : instructions(*function)) {
    if (!isa<ICmpInst>(instruction) &&
        instruction.getOpcode() != Instruction::Sub)
      continue;
    const Value *left = pointerOf(instruction.getOperand(0));
    const Value *right = pointerOf(instruction.getOperand(1));
    // Whether two elements are one needs no array for both.
    auto *compare = dyn_cast<ICmpInst>(&instruction);
    bool withThreads = !compare || !compare->isEquality();
    if (!left || !right ||
        (!varies(left, withThreads) && !varies(right, withThreads)))
      continue;
    const Argument *first = parameterOf(left), *second = parameterOf(right);
    if (first && second && first != second)
      return std::pair(first->getArgNo(), second->getArgNo());
  }
  return std::nullopt;
}
