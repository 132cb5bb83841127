//===- WaitingLoops.cpp - loops that wait for other threads ---------------===//

#include "runtime/CPU/WaitingLoops.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/CycleAnalysis.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace gpuopt::runtime;

namespace {

/// What depends on a read, in the cycle that it is in.
class Dependents {
public:
  Dependents(const Cycle &cycle, const DominatorTree &dominators)
      : cycle(cycle), dominators(dominators) {}

  bool decidesOnExit(Instruction &read);

private:
  void addUsers(Value &value);
  void addChoices(BasicBlock &block);
  void addPhis(BasicBlock &block);
  void add(Instruction &instruction) {
    if (cycle.contains(instruction.getParent()))
      values.insert(&instruction);
  }

  const Cycle &cycle;
  const DominatorTree &dominators;
  SmallSetVector<Instruction *, 16> values;
};

} // namespace

void Dependents::addPhis(BasicBlock &block) {
  for (PHINode &phi : block.phis())
    add(phi);
}

/// Values that depend on the way that is taken at the end of `block`: they are
/// chosen where the ways meet again.
void Dependents::addChoices(BasicBlock &block) {
  for (BasicBlock *successor : successors(&block)) {
    if (!successor->getSinglePredecessor()) {
      addPhis(*successor);
      continue;
    }
    for (BasicBlock *meeting : cycle.blocks())
      if (!dominators.properlyDominates(successor, meeting) &&
          any_of(predecessors(meeting), [&](BasicBlock *from) {
            return dominators.dominates(successor, from);
          }))
        addPhis(*meeting);
  }
}

void Dependents::addUsers(Value &value) {
  for (User *user : value.users()) {
    auto *instruction = cast<Instruction>(user);
    add(*instruction);
    // A variable in memory.
    if (auto *store = dyn_cast<StoreInst>(instruction);
        store && store->getValueOperand() == &value)
      if (auto *local = dyn_cast<AllocaInst>(store->getPointerOperand()))
        for (User *other : local->users())
          if (isa<LoadInst>(other))
            add(*cast<Instruction>(other));
  }
}

bool Dependents::decidesOnExit(Instruction &read) {
  values.insert(&read);
  for (size_t index = 0; index < values.size(); ++index) {
    Instruction &value = *values[index];
    if (!value.isTerminator()) {
      addUsers(value);
      continue;
    }
    if (any_of(successors(value.getParent()),
               [&](BasicBlock *to) { return !cycle.contains(to); }))
      return true;
    addChoices(*value.getParent());
  }
  return false;
}

/// What others may store is read.
static bool readsOthers(const Instruction &instruction) {
  return isa<AtomicRMWInst, AtomicCmpXchgInst>(instruction) ||
         (isa<LoadInst>(instruction) &&
          (instruction.isAtomic() || instruction.isVolatile()));
}

SmallVector<AwaitedRead> gpuopt::runtime::findAwaitedReads(Function &function) {
  SmallVector<Instruction *> reads;
  SmallVector<AwaitedRead> awaited;
  for (Instruction &instruction : instructions(function))
    if (readsOthers(instruction) && !instruction.use_empty())
      reads.push_back(&instruction);
  if (reads.empty())
    return awaited;
  CycleInfo cycles;
  cycles.compute(function);
  DominatorTree dominators(function);
  for (Instruction *read : reads)
    for (const Cycle *cycle = cycles.getCycle(read->getParent()); cycle;
         cycle = cycle->getParentCycle())
      if (Dependents(*cycle, dominators).decidesOnExit(*read)) {
        awaited.push_back({read, {}});
        cycle->getExitBlocks(awaited.back().exits);
        break;
      }
  return awaited;
}
