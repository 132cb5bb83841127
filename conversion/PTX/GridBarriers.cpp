//===- GridBarriers.cpp - where all blocks of a grid meet -----------------===//

#include "conversion/PTX/GridBarriers.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace gpuopt;

namespace {
class GridBarrierFinder {
public:
  explicit GridBarrierFinder(Function &kernel) : kernel(kernel) {}

  bool run();

private:
  bool findUses();
  bool findBarrierBehind(LoadInst &look);

  Function &kernel;
  SmallSetVector<Instruction *, 16> addresses;
  SmallVector<AtomicRMWInst *> arrivals;
  SmallVector<LoadInst *> looks;
  /// The ends of the loops, and where these go on.
  SmallVector<std::pair<BranchInst *, BasicBlock *>> ends;
  SmallSetVector<CallInst *, 4> barriers;
};
} // namespace

static bool isWorkspaceRegister(const Instruction &instruction) {
  auto *call = dyn_cast<IntrinsicInst>(&instruction);
  return call &&
         (call->getIntrinsicID() == Intrinsic::nvvm_read_ptx_sreg_envreg1 ||
          call->getIntrinsicID() == Intrinsic::nvvm_read_ptx_sreg_envreg2);
}

/// Sorts what is done with the workspace; false for what is not known.
bool GridBarrierFinder::findUses() {
  for (Instruction &instruction : instructions(kernel))
    if (isWorkspaceRegister(instruction))
      addresses.insert(&instruction);
  for (size_t i = 0; i < addresses.size(); ++i)
    for (User *user : addresses[i]->users()) {
      auto *instruction = cast<Instruction>(user);
      if (isa<BinaryOperator, CastInst, FreezeInst, SelectInst>(instruction))
        addresses.insert(instruction);
      else if (auto *arrival = dyn_cast<AtomicRMWInst>(instruction);
               arrival && arrival->getPointerOperand() == addresses[i] &&
               arrival->getOperation() == AtomicRMWInst::Add)
        arrivals.push_back(arrival);
      else if (auto *look = dyn_cast<LoadInst>(instruction))
        looks.push_back(look);
      else if (!isa<ICmpInst>(instruction))
        return false;
    }
  return true;
}

static bool isBarrierOfBlock(const Instruction &instruction) {
  auto *call = dyn_cast<CallInst>(&instruction);
  return call && call->getCalledFunction() &&
         call->getCalledFunction()->getName().starts_with(
             "llvm.nvvm.barrier.cta.sync.");
}

/// All ways out of the loop in which `look` is have to come to one barrier.
bool GridBarrierFinder::findBarrierBehind(LoadInst &look) {
  BasicBlock *loop = look.getParent();
  auto *end = dyn_cast<BranchInst>(loop->getTerminator());
  if (!end || !end->isConditional() || !is_contained(end->successors(), loop) ||
      end->getSuccessor(0) == end->getSuccessor(1))
    return false;
  BasicBlock *exit = end->getSuccessor(end->getSuccessor(0) == loop);
  // Of several looks in one loop, too.
  if (!is_contained(ends, std::pair(end, exit)))
    ends.emplace_back(end, exit);
  SmallSetVector<BasicBlock *, 8> reached;
  reached.insert(exit);
  CallInst *found = nullptr;
  for (size_t i = 0; i < reached.size(); ++i) {
    auto barrier = find_if(*reached[i], isBarrierOfBlock);
    if (barrier == reached[i]->end()) {
      if (succ_empty(reached[i]))
        return false;
      reached.insert_range(successors(reached[i]));
      continue;
    }
    if (found && found != &*barrier)
      return false;
    found = cast<CallInst>(&*barrier);
  }
  // Of all threads.
  if (!found || !found->getCalledFunction()->getName().ends_with(".all"))
    return false;
  barriers.insert(found);
  return true;
}

static void replaceBy(Instruction &instruction, uint64_t number) {
  instruction.replaceAllUsesWith(
      ConstantInt::get(instruction.getType(), number));
  instruction.eraseFromParent();
}

static void makeBarrierOfGrid(CallInst &barrier) {
  IRBuilder<> ir(&barrier);
  FunctionCallee callee = barrier.getModule()->getOrInsertFunction(
      "__gpuopt_global_sync", ir.getVoidTy());
  ir.CreateCall(callee);
  barrier.eraseFromParent();
}

bool GridBarrierFinder::run() {
  if (!findUses() ||
      !all_of(looks, [&](LoadInst *look) { return findBarrierBehind(*look); }))
    return false;
  for (auto [end, exit] : ends) {
    end->getParent()->removePredecessor(end->getParent());
    ReplaceInstWithInst(end, BranchInst::Create(exit));
  }
  for (LoadInst *look : looks)
    replaceBy(*look, 0);
  for (AtomicRMWInst *arrival : arrivals)
    replaceBy(*arrival, 0);
  for (CallInst *barrier : barriers)
    makeBarrierOfGrid(*barrier);
  // Whoever looks finds that there is a workspace.
  for (Instruction *address : addresses)
    if (isWorkspaceRegister(*address))
      replaceBy(*address, 1);
  return true;
}

bool gpuopt::ptx::recoverGridBarriers(Function &kernel) {
  return GridBarrierFinder(kernel).run();
}
