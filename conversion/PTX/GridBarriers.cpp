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
  bool isOrdered(LoadInst &look) const;
  bool onlyDecides(Instruction &result) const;
  std::optional<bool> passes(BasicBlock::const_iterator at,
                             BasicBlock::const_iterator end) const;

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

static bool isFence(const Instruction &instruction) {
  auto *call = dyn_cast<CallInst>(&instruction);
  StringRef name = call && call->getCalledFunction()
                       ? call->getCalledFunction()->getName()
                       : StringRef();
  return isa<FenceInst>(instruction) || name == "__gpuopt_fence" ||
         name.starts_with("llvm.nvvm.membar.") ||
         name.starts_with("llvm.nvvm.fence.");
}

/// Whether there is a fence between the two places; nothing where there is an
/// access, which must not come to the other side of the wait.
std::optional<bool>
GridBarrierFinder::passes(BasicBlock::const_iterator at,
                          BasicBlock::const_iterator end) const {
  bool hasFence = false;
  for (; at != end; ++at) {
    if (isFence(*at))
      hasFence = true;
    else if (at->mayReadOrWriteMemory() && !is_contained(arrivals, &*at) &&
             !is_contained(looks, &*at))
      return std::nullopt;
  }
  return hasFence;
}

/// What is found there may decide on the ends of the loops alone.
bool GridBarrierFinder::onlyDecides(Instruction &result) const {
  SmallSetVector<Instruction *, 8> values;
  values.insert(&result);
  for (size_t i = 0; i < values.size(); ++i)
    for (User *user : values[i]->users()) {
      auto *instruction = cast<Instruction>(user);
      bool isEnd = any_of(
          ends, [&](const auto &end) { return end.first == instruction; });
      if (isa<BinaryOperator, CastInst, FreezeInst, ICmpInst>(instruction))
        values.insert(instruction);
      else if (!isEnd)
        return false;
    }
  return true;
}

/// All ways out of the loop in which `look` is have to come to one barrier, and
/// acquire what other blocks have done.
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
  std::optional<bool> hasFence = passes(loop->begin(), loop->end());
  if (!hasFence)
    return false;
  bool acquires = *hasFence || isAcquireOrStronger(look.getOrdering());
  SmallSetVector<BasicBlock *, 8> reached;
  reached.insert(exit);
  CallInst *found = nullptr;
  for (size_t i = 0; i < reached.size(); ++i) {
    auto barrier = find_if(*reached[i], isBarrierOfBlock);
    hasFence = passes(reached[i]->begin(), barrier);
    if (!hasFence)
      return false;
    acquires |= *hasFence;
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
  if (!acquires || !found ||
      !found->getCalledFunction()->getName().ends_with(".all"))
    return false;
  barriers.insert(found);
  return true;
}

/// Whether all that the block has done before is released: by a barrier of it
/// in front of the loop, and an arrival.
bool GridBarrierFinder::isOrdered(LoadInst &look) const {
  BasicBlock *loop = look.getParent();
  SmallSetVector<BasicBlock *, 8> reached;
  reached.insert_range(predecessors(loop));
  reached.remove(loop);
  bool releases = false;
  for (size_t i = 0; i < reached.size(); ++i) {
    BasicBlock *block = reached[i];
    auto barrier = find_if(reverse(*block), isBarrierOfBlock);
    bool isThere = barrier != block->rend();
    auto begin = isThere ? std::next(barrier->getIterator()) : block->begin();
    std::optional<bool> hasFence = passes(begin, block->end());
    if (!hasFence || (!isThere && pred_empty(block)))
      return false;
    releases |= *hasFence;
    for (AtomicRMWInst *arrival : arrivals)
      releases |= arrival->getParent() == block &&
                  isReleaseOrStronger(arrival->getOrdering());
    if (!isThere)
      reached.insert_range(predecessors(block));
  }
  return releases;
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
  if (!findUses() || !all_of(looks, [&](LoadInst *look) {
        return findBarrierBehind(*look) && isOrdered(*look);
      }))
    return false;
  auto decides = [&](Instruction *result) { return onlyDecides(*result); };
  if (!all_of(looks, decides) || !all_of(arrivals, decides))
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
