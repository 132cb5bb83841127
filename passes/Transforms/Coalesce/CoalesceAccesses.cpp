//===- CoalesceAccesses.cpp - coalesce by way of workgroup memory ---------===//
//
// In five steps, each planned on the IR that the one before has left: loads
// with a halo, nest of loops by nest, then those at constant offsets, place by
// place; loads in loops, loop by loop; loads where they stand; stores.
//
//===----------------------------------------------------------------------===//

#include "dialects/GPUOpt/AttributeNames.h"
#include "passes/Analysis/CollectiveLoops.h"
#include "passes/Analysis/LibraryCalls.h"
#include "passes/Transforms/Coalesce/ExchangeStores.h"
#include "passes/Transforms/Coalesce/StageLoads.h"
#include "passes/Transforms/Coalesce/StagingPlan.h"
#include "passes/Transforms/Passes.h"
#include "passes/Transforms/Stencils/NestPlan.h"
#include "passes/Transforms/Stencils/StageNest.h"
#include "passes/Transforms/Stencils/StageStencil.h"
#include "passes/Transforms/Stencils/StencilPlan.h"
#include "passes/Transforms/Utils/Kernels.h"
#include "passes/Transforms/Utils/TileShape.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

namespace gpuopt {
#define GEN_PASS_DEF_COALESCEACCESSES
#include "passes/Transforms/Passes.h.inc"
} // namespace gpuopt

using namespace mlir;
using namespace gpuopt;

namespace {
/// Coalesces the accesses of one kernel.
class KernelCoalescer {
public:
  explicit KernelCoalescer(const StagingContext &context) : context(context) {}

  /// Returns the number of accesses rewritten.
  unsigned run();

private:
  void stageNests();
  void stageStencils();
  void stageLoops();
  void stageLoads();
  void exchangeStores();
  void stage(StagingPlan &plan);
  void note(std::vector<MissedAccess> &missed);
  void noteStaged(Operation *op);
  void remarkMissed();
  void remarkPlan();
  /// Those of the kernel as it is.
  AccessFunctions &functions();

  StagingContext context;
  /// Kept until something is rewritten: kernels have thousands of loads.
  std::optional<AccessFunctions> current;
  /// Why an access stays as it is.
  llvm::MapVector<Operation *, std::string> reasons;
  /// The arrays that go through workgroup memory.
  llvm::StringSet<> staged;
  unsigned rewritten = 0;
};
} // namespace

AccessFunctions &KernelCoalescer::functions() {
  return current ? *current : current.emplace(context.kernel);
}

/// Keeps the first reason for each access.
void KernelCoalescer::note(std::vector<MissedAccess> &missed) {
  for (MissedAccess &access : missed)
    reasons.insert({access.op, std::move(access.reason)});
  missed.clear();
}

/// Notes that `op`, which is still there, is rewritten.
void KernelCoalescer::noteStaged(Operation *op) {
  reasons.erase(op);
  ++rewritten;
  // Only a plan speaks of arrays.
  if (!context.partition)
    return;
  if (const AccessFunction *access = functions().lookup(op))
    staged.insert(access->array);
}

void KernelCoalescer::stage(StagingPlan &plan) {
  if (plan.loads.empty())
    return;
  for (const StagedLoad &load : plan.loads) {
    sayPassed(RemarkCode::LoadStaged, context.kernel, load.op->getLoc(),
              {{"verdict", stringifyVerdict(load.verdict)},
               {"tile", shapeText(shapeOf(load.dimensions))}})
        << remark::metric("sectors_before", load.sectorsBefore)
        << remark::metric("sectors_after", load.sectorsAfter)
        << remark::metric("iterations", plan.iterations)
        << remark::metric("workgroup_bytes", load.bytes());
    noteStaged(load.op);
  }
  applyStaging(context, plan);
  current.reset();
}

void KernelCoalescer::stageNests() {
  SmallVector<Operation *> loops;
  context.kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<affine::AffineForOp>(op))
      loops.push_back(op);
  });
  std::vector<MissedAccess> missed;
  llvm::SmallPtrSet<Operation *, 8> done;
  for (Operation *loop : loops) {
    if (done.contains(loop))
      continue;
    NestPlan plan = planNest(context, functions(), loop, missed);
    note(missed);
    if (plan.loads.empty())
      continue;
    loop->walk([&](Operation *inner) { done.insert(inner); });
    for (const NestLoad &load : plan.loads) {
      SmallVector<int64_t> shape;
      for (const NestDimension &dimension : load.dimensions)
        shape.push_back(dimension.extent);
      sayPassed(RemarkCode::NestStaged, context.kernel, load.op->getLoc(),
                {{"verdict", stringifyVerdict(load.verdict)},
                 {"tile", shapeText(shape)}})
          << remark::metric("sectors_before", load.sectorsBefore)
          << remark::metric("sectors_after", load.sectorsAfter)
          << remark::metric("iterations", plan.loops.front().iterations)
          << remark::metric("workgroup_bytes", load.bytes());
      noteStaged(load.op);
    }
    applyNest(context, plan);
    current.reset();
  }
}

void KernelCoalescer::stageStencils() {
  std::vector<MissedAccess> missed;
  while (true) {
    StencilPlan plan = planStencil(context, missed);
    note(missed);
    if (plan.tiles.empty())
      return;
    for (const StencilTile &tile : plan.tiles) {
      sayPassed(RemarkCode::StencilStaged, context.kernel,
                tile.loads.front().op->getLoc(),
                {{"loads", tile.loads.size()},
                 {"verdict", stringifyVerdict(tile.verdict)},
                 {"tile", shapeText(tile.shape())}})
          << remark::metric("sectors_before", tile.sectorsBefore)
          << remark::metric("sectors_after", tile.sectorsAfter)
          << remark::metric("workgroup_bytes", tile.bytes());
      for (const StencilLoad &load : tile.loads)
        noteStaged(load.op);
    }
    applyStencil(context, plan);
    current.reset();
  }
}

void KernelCoalescer::stageLoops() {
  SmallVector<Operation *> loops;
  context.kernel.walk([&](Operation *op) {
    if (isa<affine::AffineForOp, scf::ForOp>(op))
      loops.push_back(op);
  });
  std::vector<MissedAccess> missed;
  for (Operation *loop : loops) {
    StagingPlan plan = planLoop(context, functions(), loop, missed);
    note(missed);
    stage(plan);
  }
}

void KernelCoalescer::stageLoads() {
  SmallVector<Operation *> loads;
  context.kernel.walk([&](Operation *op) {
    if (isa<affine::AffineLoadOp, memref::LoadOp>(op) && !collectiveAround(op))
      loads.push_back(op);
  });
  std::vector<MissedAccess> missed;
  for (Operation *load : loads) {
    StagingPlan plan = planInPlace(context, functions(), load, missed);
    note(missed);
    stage(plan);
  }
}

void KernelCoalescer::exchangeStores() {
  SmallVector<Operation *> stores;
  context.kernel.walk([&](Operation *op) {
    if (isa<affine::AffineStoreOp, memref::StoreOp>(op))
      stores.push_back(op);
  });
  std::vector<MissedAccess> missed;
  for (Operation *store : stores) {
    ExchangePlan plan = planExchange(context, functions(), store, missed);
    note(missed);
    if (!plan.op)
      continue;
    sayPassed(RemarkCode::StoreExchanged, context.kernel, store->getLoc(),
              {{"tile", shapeText(shapeOf(plan.dimensions))}})
        << remark::metric("sectors_before", plan.sectorsBefore)
        << remark::metric("sectors_after", plan.sectorsAfter);
    noteStaged(store);
    applyExchange(context, plan);
    current.reset();
  }
}

void KernelCoalescer::remarkMissed() {
  for (const AccessFunction &access : functions().accesses())
    if (!access.isResolved() && access.space == MemorySpace::Global)
      reasons.insert({access.op, "unresolved index: " + access.unresolved});
  for (const auto &[op, reason] : reasons)
    sayMissed(RemarkCode::AccessNotCoalesced, context.kernel,
              Refusal{op->getLoc(), reason});
}

/// Says what a plan wanted and did not get.
void KernelCoalescer::remarkPlan() {
  if (!context.partition)
    return;
  SmallVector<StringRef> missing;
  for (StringRef array : context.partition.getAs<ArrayAttr>("arrays")
                             .getAsValueRange<StringAttr>())
    if (!staged.contains(array))
      missing.push_back(array);
  if (!missing.empty())
    sayMissed(RemarkCode::PlanNotFollowed, context.kernel,
              context.kernel.getLoc(), {{"arrays", llvm::join(missing, ", ")}});
}

unsigned KernelCoalescer::run() {
  gatherIds(context.kernel);
  stageNests();
  stageStencils();
  stageLoops();
  stageLoads();
  exchangeStores();
  remarkMissed();
  remarkPlan();
  return rewritten;
}

/// Whether `kernel` synchronises its threads itself: then other threads' stores
/// may be ordered before its loads.
static Operation *findSynchronisation(gpu::GPUFuncOp kernel) {
  Operation *found = nullptr;
  kernel.walk([&](Operation *op) {
    bool isForeignCall = isa<CallOpInterface>(op) && !callsLibrary(op);
    if (!isForeignCall && !isa<gpu::BarrierOp, gpu::ShuffleOp, gpu::AllReduceOp,
                               gpu::SubgroupReduceOp, LLVM::FenceOp>(op))
      return WalkResult::advance();
    found = op;
    return WalkResult::interrupt();
  });
  return found;
}

namespace {
struct CoalesceAccesses
    : public gpuopt::impl::CoalesceAccessesBase<CoalesceAccesses> {
  using CoalesceAccessesBase::CoalesceAccessesBase;

  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<gpu::GPUFuncOp>()) {
      GeometryAttr geometry = geometryOf(kernel);
      if (!geometry || kernel.getBody().empty())
        continue;
      FailureOr<TargetAttr> description = resolveTarget(kernel, target);
      if (failed(description))
        return signalPassFailure();
      if (Operation *op = findSynchronisation(kernel)) {
        sayMissed(RemarkCode::KernelNotCoalesced, kernel, op->getLoc());
        continue;
      }
      StagingContext context{
          kernel,
          *description,
          {},
          stageReused,
          kernel->getAttrOfType<DictionaryAttr>(kPartitionAttrName)};
      llvm::copy(geometry.getBlock(), context.block.begin());
      accesses += KernelCoalescer(context).run();
    }
  }
};
} // namespace
