//===- ForwardTiles.cpp - read what hand-made tiles were filled from ------===//
//
// find the store behind each load of workgroup memory → check that all of it,
// and every barrier, can go → compute what was stored where it was loaded →
// drop stores and barriers → move loops into the guards behind them → raise.
//
//===----------------------------------------------------------------------===//

#include "dialects/GPUOpt/AttributeNames.h"
#include "passes/Analysis/LibraryCalls.h"
#include "passes/Analysis/SubscriptRanges.h"
#include "passes/Launches/FillValues.h"
#include "passes/Launches/Passes.h"
#include "passes/Launches/TileFills.h"
#include "passes/Raising/Passes.h"
#include "passes/Transforms/Utils/Aliasing.h"
#include "passes/Transforms/Utils/Kernels.h"
#include "passes/Transforms/Utils/WorkgroupMemory.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/ControlFlowSinkUtils.h"

namespace gpuopt {
#define GEN_PASS_DEF_FORWARDTILES
#include "passes/Launches/Passes.h.inc"
} // namespace gpuopt

using namespace mlir;
using namespace gpuopt;

namespace {
struct ForwardTiles : public gpuopt::impl::ForwardTilesBase<ForwardTiles> {
  using ForwardTilesBase::ForwardTilesBase;

  void runOnOperation() override {
    for (gpu::GPUFuncOp kernel : collectKernels(getOperation()))
      if (std::optional<Refusal> refusal = forward(kernel))
        sayMissed(RemarkCode::TilesNotForwarded, kernel, *refusal);
  }

  std::optional<Refusal> forward(gpu::GPUFuncOp kernel);
  void raiseAgain(gpu::GPUFuncOp kernel);
};
} // namespace

/// Returns why a barrier orders more than what the tiles hold.
static std::optional<Refusal> findUseOfBarriers(gpu::GPUFuncOp kernel) {
  SmallVector<Operation *> barriers, writes, reads;
  std::optional<Refusal> unknown;
  kernel.getBody().walk([&](Operation *op) {
    if (isa<gpu::BarrierOp>(op)) {
      barriers.push_back(op);
      return WalkResult::advance();
    }
    Value memref = getAccessedMemRef(op);
    if (!memref) {
      bool isKnown = isMemoryEffectFree(op) || callsFunctionOfNumbers(op) ||
                     op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() ||
                     op->hasTrait<OpTrait::IsTerminator>() ||
                     isa<memref::AllocaOp>(op);
      if (isKnown && !dependsOnThreadGrouping(op))
        return WalkResult::advance();
      unknown = Refusal{op->getLoc(), "a barrier may order what '" +
                                          op->getName().getStringRef().str() +
                                          "' does"};
      return WalkResult::interrupt();
    }
    Value root = memoryRoot(memref);
    bool isShared =
        !llvm::is_contained(kernel.getWorkgroupAttributions(), root) &&
        !isa_and_nonnull<memref::AllocaOp>(root.getDefiningOp());
    if (isShared && hasEffect<MemoryEffects::Write>(op))
      writes.push_back(op);
    if (isShared && hasEffect<MemoryEffects::Read>(op))
      reads.push_back(op);
    return WalkResult::advance();
  });
  if (unknown)
    return unknown;
  auto isBehindAll = [&](Operation *op) {
    return llvm::all_of(barriers, [&](Operation *barrier) {
      return isStrictlyAfter(op, barrier);
    });
  };
  for (Operation *write : writes) {
    for (Operation *read : reads)
      if (read != write && !(isBehindAll(write) && isBehindAll(read)) &&
          mayAlias(getAccessedMemRef(read), getAccessedMemRef(write)))
        return Refusal{write->getLoc(), "a barrier may order this store and "
                                        "loads of the same memory"};
    for (Operation *barrier : barriers)
      if (!isStrictlyAfter(write, barrier) && !areAlternatives(write, barrier))
        return Refusal{write->getLoc(),
                       "a barrier may order this store and others"};
  }
  return std::nullopt;
}

/// Moves what only one branch of a conditional uses into it: loops that filled
/// tiles were run by threads that have nothing to store, too.
static void sinkIntoGuards(gpu::GPUFuncOp kernel) {
  UniformityAnalysis uniformity(kernel);
  auto readsConstants = [&](Operation *op) {
    return isMemoryEffectFree(op) ||
           op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() ||
           (isa<affine::AffineLoadOp, memref::LoadOp>(op) &&
            uniformity.isReadOnly(memoryRoot(getAccessedMemRef(op))));
  };
  // Nothing moves into a loop, which would run it again and again.
  auto isInLoopOf = [](Operation *guard, Block *outer) {
    for (Operation *op = guard; op->getBlock() != outer; op = op->getParentOp())
      if (isa<LoopLikeOpInterface>(op->getParentOp()))
        return true;
    return false;
  };
  DominanceInfo dominance(kernel);
  kernel.walk([&](scf::IfOp guard) {
    controlFlowSink(
        guard->getRegions(), dominance,
        [&](Operation *op, Region *) {
          return isa<LoopLikeOpInterface>(op) &&
                 !isInLoopOf(guard, op->getBlock()) &&
                 !op->walk([&](Operation *nested) {
                      return readsConstants(nested) ? WalkResult::advance()
                                                    : WalkResult::interrupt();
                    }).wasInterrupted();
        },
        [](Operation *op, Region *region) {
          op->moveBefore(&region->front(), region->front().begin());
        });
  });
}

/// Whether `value` is computed from the variable of a loop.
static bool dependsOnLoop(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return isa<LoopLikeOpInterface>(argument.getOwner()->getParentOp());
  Operation *op = value.getDefiningOp();
  return op->getNumRegions() > 0 ||
         llvm::any_of(op->getOperands(), dependsOnLoop);
}

/// Whether a loop around `load` ends where another one's variable says:
/// `i < min(32, k - p)`. Without the tile, each load there is guarded by that.
static bool isInRaggedLoop(Operation *load) {
  for (Operation *op = load->getParentOp(); !isa<gpu::GPUFuncOp>(op);
       op = op->getParentOp()) {
    auto loop = dyn_cast<affine::AffineForOp>(op);
    auto counted = dyn_cast<scf::ForOp>(op);
    if ((loop && (llvm::any_of(loop.getLowerBoundOperands(), dependsOnLoop) ||
                  llvm::any_of(loop.getUpperBoundOperands(), dependsOnLoop))) ||
        (counted && (dependsOnLoop(counted.getLowerBound()) ||
                     dependsOnLoop(counted.getUpperBound()))))
      return true;
  }
  return false;
}

/// The loads of all workgroup arrays of `kernel` with the stores behind them.
static std::variant<std::vector<FilledLoad>, Refusal>
findFills(gpu::GPUFuncOp kernel, TileFills &fills, FillValues &values) {
  std::vector<FilledLoad> all;
  for (BlockArgument array : kernel.getWorkgroupAttributions()) {
    auto loads = fills.find(array);
    if (auto *refusal = std::get_if<Refusal>(&loads))
      return *refusal;
    llvm::append_range(all, std::get<std::vector<FilledLoad>>(loads));
  }
  for (const FilledLoad &load : all) {
    if (isInRaggedLoop(load.load))
      return Refusal{load.load->getLoc(),
                     "a loop does not always go through the whole tile"};
    if (std::optional<Refusal> obstacle = values.findObstacle(load))
      return *obstacle;
  }
  return all;
}

/// Ids, loops and subscripts are others now.
void ForwardTiles::raiseAgain(gpu::GPUFuncOp kernel) {
  OpPassManager again(gpu::GPUFuncOp::getOperationName());
  buildRaiseAgainPipeline(again);
  if (failed(runPipeline(again, kernel)))
    signalPassFailure();
}

std::optional<Refusal> ForwardTiles::forward(gpu::GPUFuncOp kernel) {
  if (!kernel.getNumWorkgroupAttributions() || geometryOf(kernel) ||
      !kernel.getKnownBlockSize() || !kernel.getBody().hasOneBlock())
    return std::nullopt;
  if (kernel->hasAttr(kKeepsTilesAttrName))
    return Refusal{kernel.getLoc(),
                   "the source's own tiles are better by the model"};
  IntegerValues values(kernel);
  UniformityAnalysis uniformity(kernel);
  IndexBuilder indices(kernel, values);
  TileFills fills(kernel, values, uniformity);
  FillValues stored(kernel, values, indices, uniformity, fills);
  auto found = findFills(kernel, fills, stored);
  if (auto *refusal = std::get_if<Refusal>(&found))
    return *refusal;
  if (std::optional<Refusal> refusal = findUseOfBarriers(kernel))
    return refusal;

  keepOriginal(kernel);
  unsigned tiles = kernel.getNumWorkgroupAttributions();
  for (const FilledLoad &load : std::get<std::vector<FilledLoad>>(found))
    stored.replace(load);
  SmallVector<Operation *> dead;
  for (BlockArgument array : kernel.getWorkgroupAttributions())
    llvm::append_range(dead, usersThroughViews(array));
  kernel.walk([&](gpu::BarrierOp barrier) { dead.push_back(barrier); });
  for (Operation *op : dead)
    op->erase();
  eraseDeadOperations(kernel);
  eraseUnusedWorkgroupArrays(kernel);
  sinkIntoGuards(kernel);
  sayPassed(RemarkCode::TilesForwarded, kernel, kernel.getLoc(),
            {{"tiles", tiles}});
  numForwarded += tiles;
  raiseAgain(kernel);
  return std::nullopt;
}
