//===- SharedArrays.cpp - arrays that one sub-block fills for all ---------===//

#include "passes/Transforms/Positions/SharedArrays.h"

#include "passes/Analysis/CollectiveLoops.h"
#include "passes/Analysis/Uniformity.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace gpuopt;

/// The arrays that `op` accesses with `Effect`.
template <typename Effect>
static SmallVector<Value> accessedArrays(Operation *op) {
  SmallVector<Value> arrays;
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  if (!interface || isa<gpu::BarrierOp>(op))
    return arrays;
  SmallVector<MemoryEffects::EffectInstance> effects;
  interface.getEffects(effects);
  for (const MemoryEffects::EffectInstance &effect : effects)
    if (isa<Effect>(effect.getEffect()) && effect.getValue())
      arrays.push_back(memoryRoot(effect.getValue()));
  return arrays;
}

//===----------------------------------------------------------------------===//
// Barriers between accesses
//===----------------------------------------------------------------------===//

namespace {
/// Follows the structured control flow of a kernel with what was accessed since
/// the last barrier on any path.
class AccessScan {
public:
  struct State {
    llvm::SmallPtrSet<void *, 8> stored, loaded;
    void join(const State &other) {
      stored.insert(other.stored.begin(), other.stored.end());
      loaded.insert(other.loaded.begin(), other.loaded.end());
    }
    size_t size() const { return stored.size() + loaded.size(); }
  };

  void scan(Block &block, State &state);
  llvm::SmallPtrSet<void *, 8> conflicts;

private:
  void scanRegions(Operation *op, State &state);
};
} // namespace

void AccessScan::scanRegions(Operation *op, State &state) {
  // A second time around a loop, the end of its body comes before the start;
  // what the first time has added nothing to, the second time would not either.
  for (int round = 0, end = isa<LoopLikeOpInterface>(op) ? 2 : 1; round < end;
       ++round) {
    State before = state;
    for (Region &region : op->getRegions())
      for (Block &block : region) {
        State inside = before;
        scan(block, inside);
        state.join(inside);
      }
    if (state.size() == before.size())
      return;
  }
}

void AccessScan::scan(Block &block, State &state) {
  for (Operation &op : block) {
    if (isa<gpu::BarrierOp>(op)) {
      state = State();
      continue;
    }
    if (op.getNumRegions() != 0) {
      scanRegions(&op, state);
      continue;
    }
    for (Value array : accessedArrays<MemoryEffects::Read>(&op)) {
      if (state.stored.contains(array.getAsOpaquePointer()))
        conflicts.insert(array.getAsOpaquePointer());
      state.loaded.insert(array.getAsOpaquePointer());
    }
    for (Value array : accessedArrays<MemoryEffects::Write>(&op)) {
      if (state.loaded.contains(array.getAsOpaquePointer()))
        conflicts.insert(array.getAsOpaquePointer());
      state.stored.insert(array.getAsOpaquePointer());
    }
  }
}

llvm::SmallPtrSet<void *, 8>
gpuopt::findUnsynchronisedArrays(gpu::GPUFuncOp kernel) {
  AccessScan scan;
  AccessScan::State state;
  scan.scan(kernel.getBody().front(), state);
  return scan.conflicts;
}

//===----------------------------------------------------------------------===//
// Stores of the first sub-block
//===----------------------------------------------------------------------===//

/// Whether `op` writes, and only `arrays`.
static bool writesOnly(Operation *op, const llvm::SetVector<Value> &arrays) {
  bool writes = false;
  WalkResult result = op->walk([&](Operation *nested) {
    if (isa<gpu::BarrierOp>(nested))
      return WalkResult::interrupt();
    SmallVector<Value> written = accessedArrays<MemoryEffects::Write>(nested);
    writes |= !written.empty();
    bool known = isa<MemoryEffectOpInterface>(nested) ||
                 nested->hasTrait<OpTrait::HasRecursiveMemoryEffects>();
    bool allowed = llvm::all_of(
        written, [&](Value array) { return arrays.contains(array); });
    return known && allowed ? WalkResult::advance() : WalkResult::interrupt();
  });
  return writes && !result.wasInterrupted();
}

/// Moves into `branch` the operations right before it that only it uses, so
/// that the other sub-blocks do not load in vain.
static void sinkOperands(scf::IfOp branch) {
  bool passedWrite = false;
  for (Operation *op = branch->getPrevNode(), *next; op; op = next) {
    next = op->getPrevNode();
    if (isa<gpu::BarrierOp>(op))
      return;
    bool onlyReads = !accessedArrays<MemoryEffects::Read>(op).empty() &&
                     accessedArrays<MemoryEffects::Write>(op).empty();
    bool usedInsideOnly =
        !op->use_empty() && llvm::all_of(op->getUsers(), [&](Operation *user) {
          return branch->isProperAncestor(user);
        });
    // What stands at the top of the kernel can be a symbol for affine
    // operations, inside the branch it cannot.
    bool isIndex = llvm::any_of(op->getResultTypes(),
                                [](Type type) { return type.isIndex(); });
    if (op->getNumRegions() == 0 && usedInsideOnly && !isIndex &&
        (isPure(op) || (onlyReads && !passedWrite)))
      op->moveBefore(&branch.thenBlock()->front());
    else
      passedWrite |= !isMemoryEffectFree(op);
  }
}

void gpuopt::guardStores(gpu::GPUFuncOp kernel,
                         const llvm::SetVector<Value> &arrays, Value subBlock) {
  // The largest operations that do nothing but fill the arrays.
  llvm::SetVector<Operation *> stores;
  kernel.getBody().walk([&](Operation *op) {
    // All threads of the block fill these together.
    if (op->getNumRegions() != 0 || collectiveAround(op) ||
        llvm::none_of(accessedArrays<MemoryEffects::Write>(op),
                      [&](Value array) { return arrays.contains(array); }))
      return;
    while (!isa<gpu::GPUFuncOp>(op->getParentOp()) &&
           op->getParentOp()->getNumResults() == 0 &&
           writesOnly(op->getParentOp(), arrays))
      op = op->getParentOp();
    stores.insert(op);
  });
  for (Operation *store : stores) {
    OpBuilder builder(store);
    Location loc = store->getLoc();
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
    Value isFirst = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::eq, subBlock, zero);
    auto branch =
        scf::IfOp::create(builder, loc, isFirst, /*withElseRegion=*/false);
    store->moveBefore(branch.thenYield());
    sinkOperands(branch);
  }
}
