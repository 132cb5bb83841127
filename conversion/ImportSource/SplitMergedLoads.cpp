//===- SplitMergedLoads.cpp - loads stay in their branches ----------------===//
//
//   if (tx == 0)                          p = tx == 0 ? &west[ty]
//     w = west[ty];                 ←                 : &tile[ty][tx - 1];
//   else                                  w = *p;
//     w = tile[ty][tx - 1];
//
// InstCombine makes one load of those in the branches. The array that it reads
// is then a value of the program, which none of the later stages follows.
//
//===----------------------------------------------------------------------===//

#include "conversion/ImportSource/CleanUp.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

/// Whether what `load` reads is the same at the end of each branch as where it
/// stands, and it is executed whenever one of them is.
static bool canLoadInBranches(const PHINode &address, const LoadInst &load) {
  if (!load.isSimple() || load.getParent() != address.getParent())
    return false;
  auto first = address.getParent()->getFirstNonPHIIt();
  return all_of(make_range(first, load.getIterator()),
                [](const Instruction &op) {
                  return !op.mayWriteToMemory() &&
                         isGuaranteedToTransferExecutionToSuccessor(&op);
                });
}

/// Whether each branch that ends at `address` has no other way to go.
static bool isReachedByBranchesOnly(const PHINode &address) {
  return all_of(address.blocks(), [&](const BasicBlock *block) {
    return block->getSingleSuccessor() == address.getParent();
  });
}

/// Replaces `load` by a load in each branch.
static void split(PHINode &address, LoadInst &load) {
  PHINode *values =
      PHINode::Create(load.getType(), address.getNumIncomingValues(), "",
                      address.getIterator());
  values->setDebugLoc(load.getDebugLoc());
  for (auto [block, pointer] :
       zip(address.blocks(), address.incoming_values())) {
    auto *copy = cast<LoadInst>(load.clone());
    copy->insertBefore(block->getTerminator()->getIterator());
    copy->setOperand(LoadInst::getPointerOperandIndex(), pointer);
    if (auto *computed = dyn_cast<Instruction>(pointer))
      copy->setDebugLoc(computed->getDebugLoc());
    values->addIncoming(copy, block);
  }
  load.replaceAllUsesWith(values);
  load.eraseFromParent();
}

bool gpuopt::splitMergedLoads(Function &function) {
  SmallVector<PHINode *> addresses;
  for (Instruction &op : instructions(function))
    if (auto *phi = dyn_cast<PHINode>(&op))
      if (phi->getType()->isPointerTy() && isReachedByBranchesOnly(*phi))
        addresses.push_back(phi);
  bool isChanged = false;
  for (PHINode *address : addresses) {
    bool areLoads = all_of(address->users(), [&](const User *user) {
      const auto *load = dyn_cast<LoadInst>(user);
      return load && canLoadInBranches(*address, *load);
    });
    if (!areLoads)
      continue;
    for (User *user : make_early_inc_range(address->users()))
      split(*address, *cast<LoadInst>(user));
    address->eraseFromParent();
    isChanged = true;
  }
  return isChanged;
}
