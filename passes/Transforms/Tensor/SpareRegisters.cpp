//===- SpareRegisters.cpp - short lives beside many sums ----------------===//
//
// Whatever is defined in front of a loop and used behind it takes registers
// beside the sums of a product; LLVM leaves such values where they are. And it
// unrolls loops that fill a tile one by one, the loads of which would all be on
// their way at the same time.
//
//===----------------------------------------------------------------------===//

#include "dialects/GPUOpt/AttributeNames.h"
#include "dialects/GPUOpt/GPUOptOps.h"
#include "passes/Transforms/Passes.h"
#include "passes/Transforms/Utils/Kernels.h"
#include "passes/Transforms/Utils/UnrollLoop.h"

#include "mlir/Dialect/Affine/Analysis/LoopAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace gpuopt {
#define GEN_PASS_DEF_SPAREREGISTERS
#include "passes/Transforms/Passes.h.inc"
} // namespace gpuopt

using namespace mlir;
using namespace gpuopt;

/// Whether `op` may stand anywhere where its operands are there. Constants are
/// none of registers.
static bool maySink(Operation *op) {
  return op->getNumRegions() == 0 && op->getNumResults() == 1 && isPure(op) &&
         !op->hasTrait<OpTrait::ConstantLike>() &&
         !isa<gpu::ThreadIdOp, gpu::BlockIdOp>(op) && !op->use_empty();
}

/// The first operation of the block of `op` that has a use of it in it.
static Operation *firstUser(Operation *op) {
  Operation *first = nullptr;
  for (Operation *user : op->getUsers()) {
    Operation *around = op->getBlock()->findAncestorOpInBlock(*user);
    if (!first || around->isBeforeInBlock(first))
      first = around;
  }
  return first;
}

/// The block of the branch `op` that has all uses of `value`; null where there
/// is none.
static Block *onlyBlockOf(Operation *op, Value value) {
  auto branch = dyn_cast<scf::IfOp>(op);
  if (!branch || llvm::is_contained(branch->getOperands(), value))
    return nullptr;
  for (Region &region : branch->getRegions())
    if (llvm::all_of(value.getUsers(), [&](Operation *user) {
          return region.isAncestor(user->getParentRegion());
        }))
      return &region.front();
  return nullptr;
}

/// Whether `op` may stand in a branch: there, only what affine maps compute is
/// a symbol of other maps.
static bool maySinkIntoBranches(Operation *op) {
  return isa<affine::AffineApplyOp>(op) ||
         llvm::none_of(op->getUsers(), [](Operation *user) {
           return isa<affine::AffineDialect>(user->getDialect());
         });
}

/// Moves `op` to its first use, into branches but not into loops. Returns
/// whether it has moved.
static bool sink(Operation *op) {
  Operation *before = op->getNextNode();
  bool intoBranches = maySinkIntoBranches(op);
  while (true) {
    Operation *user = firstUser(op);
    Block *block = intoBranches ? onlyBlockOf(user, op->getResult(0)) : nullptr;
    if (block) {
      op->moveBefore(block, block->begin());
      continue;
    }
    op->moveBefore(user);
    return op->getNextNode() != before;
  }
}

/// Whether `loop` is one of a fill, in a loop with products.
static bool isFill(affine::AffineForOp loop) {
  bool hasMore = loop.walk([](Operation *op) {
                       return isa<gpu::BarrierOp, WarpgroupProductOp>(op)
                                  ? WalkResult::interrupt()
                                  : WalkResult::advance();
                     })
                     .wasInterrupted();
  auto around = loop->getParentOfType<affine::AffineForOp>();
  return !hasMore && around && around->getNumResults() > 0 &&
         llvm::any_of(*around.getBody(), [](Operation &op) {
           return isa<WarpgroupProductOp>(op);
         });
}

/// Leaves of the loops of fills several iterations for each branch.
static void keepRolled(gpu::GPUFuncOp kernel) {
  constexpr uint64_t factor = 8;
  SmallVector<affine::AffineForOp> fills;
  kernel.getBody().walk([&](affine::AffineForOp loop) {
    std::optional<uint64_t> trips = affine::getConstantTripCount(loop);
    if (trips && *trips > factor && *trips % factor == 0 && isFill(loop))
      fills.push_back(loop);
  });
  for (affine::AffineForOp loop : fills) {
    loop->setAttr(kRolledAttrName, UnitAttr::get(loop.getContext()));
    (void)unrollBy(loop, factor);
  }
}

namespace {
struct SpareRegisters
    : public gpuopt::impl::SpareRegistersBase<SpareRegisters> {
  using SpareRegistersBase::SpareRegistersBase;

  void runOnOperation() override {
    for (gpu::GPUFuncOp kernel : collectKernels(getOperation())) {
      bool hasProducts =
          kernel
              .walk([](WarpgroupProductOp) { return WalkResult::interrupt(); })
              .wasInterrupted();
      if (!hasProducts || !kernel.getBody().hasOneBlock())
        continue;
      keepRolled(kernel);
      // Users before what they use.
      SmallVector<Operation *> candidates;
      kernel.getBody().walk([&](Operation *op) {
        if (maySink(op) && !op->getParentOfType<LoopLikeOpInterface>())
          candidates.push_back(op);
      });
      for (Operation *op : llvm::reverse(candidates))
        sunk += sink(op);
    }
  }
};
} // namespace
