//===- NoteOrder.cpp - atomic accesses and fences that order threads ------===//
//
// Tells the host, for the check of races, what a thread acquires before it
// reads, and what it releases behind its write (ThreadOrder.h):
//
//   call gpuopt.order(%thread, %flag, reads | acquires)
//   %value = load atomic i32, ptr %flag syncscope("block") acquire
//
// Scopes that are smaller than a block order nothing here.
//
//===----------------------------------------------------------------------===//

#include "runtime/CPU/KernelBuilder.h"
#include "runtime/CPU/ThreadOrder.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace gpuopt;
using namespace gpuopt::runtime;

namespace {

class OrderNotes {
public:
  explicit OrderNotes(KernelBuilder &builder) : kernel(builder) {}

  void add(Instruction &instruction);
  void finish();

private:
  void note(IRBuilderBase &ir, Value *address, Value *flags);
  void note(IRBuilderBase &ir, Value *address, uint32_t flags) {
    note(ir, address, ir.getInt32(flags));
  }
  void addAccess(Instruction &access, Value *address, uint32_t before,
                 uint32_t behind);
  void addExchange(AtomicCmpXchgInst &exchange);
  void addFence(Instruction &fence, AtomicOrdering ordering);
  bool reachesBlock(SyncScope::ID scope) const;

  KernelBuilder &kernel;
  /// What releases has no effect without a write, and a fence without one.
  bool writes = false, releases = false;
};

} // namespace

bool OrderNotes::reachesBlock(SyncScope::ID scope) const {
  SmallVector<StringRef> names;
  kernel.context.getSyncScopeNames(names);
  StringRef name = names[scope];
  return !name.starts_with("wavefront") && !name.starts_with("singlethread");
}

static uint32_t acquiring(AtomicOrdering ordering) {
  return isAcquireOrStronger(ordering) ? OrderedAccess::acquires : 0;
}

static uint32_t releasing(AtomicOrdering ordering) {
  return isReleaseOrStronger(ordering) ? OrderedAccess::releases : 0;
}

void OrderNotes::note(IRBuilderBase &ir, Value *address, Value *flags) {
  Type *pointer = ir.getPtrTy();
  FunctionCallee hook = kernel.hostFunction(
      "gpuopt.order", ir.getVoidTy(), {pointer, pointer, ir.getInt32Ty()});
  ir.CreateCall(hook, {kernel.thread, address, flags});
}

void OrderNotes::addAccess(Instruction &access, Value *address, uint32_t before,
                           uint32_t behind) {
  if (before) {
    IRBuilder<> ir(&access);
    note(ir, address, before);
  }
  if (behind) {
    IRBuilder<> ir(access.getNextNode());
    note(ir, address, behind);
    writes = true;
    releases |= behind & OrderedAccess::releases;
  }
}

/// Only one that succeeds writes.
void OrderNotes::addExchange(AtomicCmpXchgInst &exchange) {
  AtomicOrdering success = exchange.getSuccessOrdering();
  addAccess(exchange, exchange.getPointerOperand(),
            OrderedAccess::reads | acquiring(exchange.getFailureOrdering()), 0);
  IRBuilder<> ir(exchange.getNextNode());
  uint32_t flags = OrderedAccess::reads | OrderedAccess::writes |
                   acquiring(success) | releasing(success);
  note(ir, exchange.getPointerOperand(),
       ir.CreateSelect(ir.CreateExtractValue(&exchange, 1), ir.getInt32(flags),
                       ir.getInt32(0)));
  writes = true;
  releases |= releasing(success) != 0;
}

void OrderNotes::addFence(Instruction &fence, AtomicOrdering ordering) {
  IRBuilder<> ir(&fence);
  note(ir, ConstantPointerNull::get(ir.getPtrTy()),
       acquiring(ordering) | releasing(ordering));
  releases |= releasing(ordering) != 0;
}

/// Functions that are fences of some scope from a block on.
static bool isFence(const CallInst &call) {
  const Function *callee = call.getCalledFunction();
  if (!callee)
    return false;
  StringRef name = callee->getName();
  return name == "__gpuopt_fence" || name.starts_with("llvm.nvvm.membar.") ||
         (name.starts_with("llvm.nvvm.fence.") && !name.contains("proxy"));
}

void OrderNotes::add(Instruction &instruction) {
  constexpr uint32_t reads = OrderedAccess::reads,
                     writing = OrderedAccess::writes;
  if (auto *call = dyn_cast<CallInst>(&instruction); call && isFence(*call))
    return addFence(*call, AtomicOrdering::SequentiallyConsistent);
  if (!instruction.isAtomic())
    return;
  if (!reachesBlock(*getAtomicSyncScopeID(&instruction)))
    return;
  if (auto *fence = dyn_cast<FenceInst>(&instruction))
    return addFence(*fence, fence->getOrdering());
  if (auto *load = dyn_cast<LoadInst>(&instruction))
    return addAccess(*load, load->getPointerOperand(),
                     reads | acquiring(load->getOrdering()), 0);
  if (auto *store = dyn_cast<StoreInst>(&instruction))
    return addAccess(*store, store->getPointerOperand(), 0,
                     writing | releasing(store->getOrdering()));
  if (auto *update = dyn_cast<AtomicRMWInst>(&instruction)) {
    AtomicOrdering ordering = update->getOrdering();
    return addAccess(*update, update->getPointerOperand(),
                     reads | acquiring(ordering),
                     reads | writing | releasing(ordering));
  }
  if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
    addExchange(*exchange);
}

/// Without both nothing is ordered: what has been noted is taken back.
void OrderNotes::finish() {
  if (writes && releases) {
    kernel.facts.ordersThreads = true;
    return;
  }
  Function *hook = kernel.module.getFunction("gpuopt.order");
  if (!hook)
    return;
  for (User *user : make_early_inc_range(hook->users()))
    cast<Instruction>(user)->eraseFromParent();
  hook->eraseFromParent();
}

void gpuopt::runtime::noteOrder(KernelBuilder &kernel) {
  if (!kernel.options.checkRaces)
    return;
  SmallVector<Instruction *> all;
  for (Instruction &instruction : instructions(*kernel.function))
    all.push_back(&instruction);
  OrderNotes notes(kernel);
  for (Instruction *instruction : all)
    notes.add(*instruction);
  notes.finish();
}
