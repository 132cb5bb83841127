//===- FindReductions.cpp - sums and products of loops --------------------===//

#include "runtime/CPU/FindReductions.h"

#include "llvm/ADT/SCCIterator.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace gpuopt::runtime;

/// Whether `at` takes what it has computed itself, in an earlier iteration.
static bool isRecurrence(Instruction &at) {
  SmallPtrSet<Value *, 16> visited;
  SmallVector<Value *> pending = {&at};
  while (!pending.empty())
    for (User *user : pending.pop_back_val()->users()) {
      if (user == &at)
        return true;
      if (user->getType()->isFPOrFPVectorTy() && visited.insert(user).second)
        pending.push_back(user);
    }
  return false;
}

/// Whether `at` goes on with what is in memory: `a[i] += x`.
static bool updatesMemory(Instruction &at) {
  return any_of(at.operands(), [&](const Use &operand) {
    auto *load = dyn_cast<LoadInst>(operand);
    return load && any_of(at.users(), [&](User *user) {
             auto *store = dyn_cast<StoreInst>(user);
             return store &&
                    getUnderlyingObject(store->getPointerOperand(), 0) ==
                        getUnderlyingObject(load->getPointerOperand(), 0);
           });
  });
}

static bool isSumOrProduct(Instruction &at) {
  return PatternMatch::match(&at,
                             PatternMatch::m_Intrinsic<Intrinsic::fma>()) ||
         is_contained({Instruction::FAdd, Instruction::FSub, Instruction::FMul},
                      at.getOpcode());
}

SmallPtrSet<const Instruction *, 8>
gpuopt::runtime::findReductions(Function &function) {
  SmallPtrSet<const Instruction *, 8> found;
  for (auto cycle = scc_begin(&function); !cycle.isAtEnd(); ++cycle) {
    if (!cycle.hasCycle())
      continue;
    for (BasicBlock *block : *cycle)
      for (Instruction &at : *block)
        if (isSumOrProduct(at) && (isRecurrence(at) || updatesMemory(at)))
          found.insert(&at);
  }
  return found;
}
