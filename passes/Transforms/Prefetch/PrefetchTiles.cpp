//===- PrefetchTiles.cpp - load tiles ahead of their use ------------------===//
//
// Decides for each loop over tiles how its data is loaded ahead, and does it:
// PrefetchLoop.h tells the loops, PrefetchLegality.cpp what may be done,
// PrefetchPlan.h what suits the target.
//
//===----------------------------------------------------------------------===//

#include "passes/Analysis/TimeBudget.h"
#include "passes/Transforms/Passes.h"
#include "passes/Transforms/Prefetch/OverlapProducts.h"
#include "passes/Transforms/Prefetch/PrefetchLegality.h"
#include "passes/Transforms/Prefetch/PrefetchPlan.h"
#include "passes/Transforms/Prefetch/PrefetchRegisters.h"
#include "passes/Transforms/Prefetch/PrefetchStages.h"
#include "passes/Transforms/Utils/Kernels.h"
#include "passes/Transforms/Utils/RegisterPressure.h"
#include "passes/Transforms/Utils/UnrollLoop.h"
#include "passes/Transforms/Utils/WorkgroupMemory.h"

#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace gpuopt {
#define GEN_PASS_DEF_PREFETCHTILES
#include "passes/Transforms/Passes.h.inc"
} // namespace gpuopt

using namespace mlir;
using namespace gpuopt;

//===----------------------------------------------------------------------===//
// Remarks
//===----------------------------------------------------------------------===//

/// `12, 14` for operations in these lines of the source.
static std::string linesOf(ArrayRef<Operation *> ops) {
  llvm::SetVector<unsigned> lines;
  for (Operation *op : ops)
    if (auto place = op->getLoc()->findInstanceOf<FileLineColLoc>())
      lines.insert(place.getLine());
  std::string text;
  for (unsigned line : lines)
    text += (text.empty() ? "" : ", ") + std::to_string(line);
  return text.empty() ? "unknown" : text;
}

/// The name of a tile: its place among the workgroup arrays.
static std::string nameOf(Value tile) {
  auto argument = cast<BlockArgument>(tile);
  auto kernel = cast<gpu::GPUFuncOp>(argument.getOwner()->getParentOp());
  return "workgroup array " +
         std::to_string(argument.getArgNumber() - kernel.getNumArguments());
}

/// Prints, for each tile, what the barrier that goes ordered and why that needs
/// no barrier any more.
static void explainBarrier(gpu::GPUFuncOp kernel, TileLoop &tile,
                           int64_t stages) {
  for (Value array : tile.tiles) {
    SmallVector<Operation *> stores, loads;
    for (Operation *store :
         llvm::concat<Operation *>(tile.stores, tile.guardedStores))
      if (accessedArray(store) == array)
        stores.push_back(store);
    for (Operation *user : array.getUsers())
      if (tile.loop->isProperAncestor(user) && !tile.isFillStore(user))
        loads.push_back(user);
    std::reverse(loads.begin(), loads.end());
    sayFound(RemarkCode::BarrierDropped, kernel, tile.consumed.getLoc(),
             {{"array", nameOf(array)},
              {"loads", linesOf(loads)},
              {"stores", linesOf(stores)},
              {"ahead", stages - 1},
              {"stages", stages}});
  }
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {
/// What is known of a kernel between two rewrites: looking at all of it for
/// each of its loops would take time with the square of their number.
class KernelFacts {
public:
  explicit KernelFacts(gpu::GPUFuncOp kernel) : kernel(kernel) {}

  const UniformityAnalysis &uniformity() {
    return knownUniformity ? *knownUniformity : knownUniformity.emplace(kernel);
  }
  const AccessFunctions &accesses() {
    return knownAccesses ? *knownAccesses : knownAccesses.emplace(kernel);
  }
  void forget() {
    knownUniformity.reset();
    knownAccesses.reset();
  }

  gpu::GPUFuncOp kernel;

private:
  std::optional<UniformityAnalysis> knownUniformity;
  std::optional<AccessFunctions> knownAccesses;
};

struct PrefetchTiles : public gpuopt::impl::PrefetchTilesBase<PrefetchTiles> {
  using PrefetchTilesBase::PrefetchTilesBase;

  void runOnOperation() override;
  void runOnKernel(gpu::GPUFuncOp kernel, TargetAttr machine);
  /// What was done.
  PrefetchPlan prefetch(KernelFacts &facts, TileLoop &tile, TargetAttr machine);
  void apply(gpu::GPUFuncOp kernel, TileLoop &tile, const PrefetchPlan &plan);
};
} // namespace

static PrefetchSummary summarise(gpu::GPUFuncOp kernel, TileLoop &tile,
                                 TargetAttr machine) {
  PrefetchSummary summary;
  GeometryAttr geometry = geometryOf(kernel);
  summary.threads =
      geometry.getBlock()[0] * geometry.getBlock()[1] * geometry.getBlock()[2];
  summary.registers = estimateRegisters(tile.loop);
  summary.carriedRegisters = carriedRegisters(tile);
  summary.mayCarry = tile.guardedStores.empty();
  for (Value array : tile.tiles)
    summary.tileBytes += staticBytes(array.getType());
  summary.otherBytes = workgroupBytes(kernel) - summary.tileBytes;
  summary.ofWarpgroups = hasWarpgroupProducts(tile);
  // Only for these launches give memory.
  summary.mostBytes = summary.ofWarpgroups
                          ? machine.getWorkgroupMemoryPerWorkgroupBytes()
                          : staticWorkgroupLimit(machine);
  return summary;
}

void PrefetchTiles::apply(gpu::GPUFuncOp kernel, TileLoop &tile,
                          const PrefetchPlan &plan) {
  Location loc = tile.loop.getLoc();
  bool inStages = plan.stages > 1;
  bool overlaps = plan.method == PrefetchMethod::AsyncStages &&
                  plan.stages > 2 && hasWarpgroupProducts(tile) &&
                  mayOverlapProducts(tile);
  RemarkCode how = RemarkCode::TilesCarriedAhead;
  if (plan.method == PrefetchMethod::AsyncStages)
    how = RemarkCode::TilesCopiedAhead;
  else if (inStages)
    how = RemarkCode::TilesStagedAhead;
  if (inStages) {
    if (!overlaps)
      explainBarrier(kernel, tile, plan.stages);
    prefetchIntoStages(tile, plan.stages,
                       plan.method == PrefetchMethod::AsyncStages, overlaps);
  } else {
    prefetchIntoRegisters(tile);
  }
  ++prefetched;
  if (overlaps)
    sayPassed(RemarkCode::ProductsOverlapped, kernel, loc);
  sayPassed(how, kernel, loc)
      << remark::metric("stages", static_cast<int>(plan.stages))
      << remark::metric("workgroup_bytes",
                        static_cast<int>(workgroupBytes(kernel)))
      << remark::metric("barriers_before", 2)
      << remark::metric("barriers_after", inStages ? 1 : 2);
}

PrefetchPlan PrefetchTiles::prefetch(KernelFacts &facts, TileLoop &tile,
                                     TargetAttr machine) {
  gpu::GPUFuncOp kernel = facts.kernel;
  PrefetchSummary summary = summarise(kernel, tile, machine);
  std::optional<Refusal> noStages = checkStages(tile);
  std::optional<Refusal> noCopies;
  summary.mayStage = !noStages;
  if (machine.getAsyncCopy() && !noStages) {
    noCopies = checkAsyncCopies(tile, facts.accesses());
    summary.mayCopyAsync = !noCopies;
  }
  PrefetchPlan plan = computePrefetchPlan(summary, machine, stages);
  if (noStages && stages != 1)
    sayMissed(RemarkCode::NotPrefetched, kernel, *noStages);
  if (noCopies && stages != 1)
    sayMissed(RemarkCode::NotPrefetched, kernel, *noCopies);
  if (plan.method == PrefetchMethod::None) {
    sayMissed(RemarkCode::NotPrefetched, kernel,
              Refusal{tile.loop.getLoc(), plan.reason});
    return plan;
  }
  apply(kernel, tile, plan);
  facts.forget();
  return plan;
}

/// Erases what the rewrites have left without a use.
static void eraseDead(gpu::GPUFuncOp kernel) {
  kernel.getBody().walk<WalkOrder::PostOrder, ReverseIterator>(
      [](Operation *op) {
        if (isOpTriviallyDead(op))
          op->erase();
      });
}

/// Unrolls loops that load into registers: a loop would wait for each load.
static void unrollLoads(gpu::GPUFuncOp kernel) {
  SmallVector<affine::AffineForOp> loops;
  kernel.getBody().walk([&](affine::AffineForOp loop) {
    auto loads = [](Operation *op) {
      return hasEffect<MemoryEffects::Read>(op) &&
                     !isa<nvgpu::DeviceAsyncCopyOp>(op)
                 ? WalkResult::interrupt()
                 : WalkResult::advance();
    };
    if (loop->hasAttr(kRolledAttrName) &&
        loop.getBody()->walk(loads).wasInterrupted())
      loops.push_back(loop);
  });
  for (affine::AffineForOp loop : loops)
    (void)unrollFully(loop);
}

void PrefetchTiles::runOnKernel(gpu::GPUFuncOp kernel, TargetAttr machine) {
  KernelFacts facts(kernel);
  bool hasStages = false, changed = false;
  for (LoopLikeOpInterface loop : findBarrierLoops(kernel)) {
    if (!hasTime(kernel.getContext()))
      break;
    if (hasAtMostOneIteration(loop))
      continue;
    if (!geometryOf(kernel))
      return sayMissed(
          RemarkCode::NotPrefetched, kernel,
          Refusal{kernel.getLoc(), "the kernel's block shape is not known"});
    if (hasStages)
      // Registers for the version that few blocks run would be taken from all.
      return sayMissed(RemarkCode::NotPrefetched, kernel,
                       Refusal{loop.getLoc(),
                               "another loop of the kernel already "
                               "loads ahead"});
    std::variant<TileLoop, Refusal> recognised =
        recogniseTileLoop(loop, facts.uniformity());
    if (auto *refusal = std::get_if<Refusal>(&recognised)) {
      sayMissed(RemarkCode::NotPrefetched, kernel, *refusal);
      continue;
    }
    PrefetchPlan done =
        prefetch(facts, std::get<TileLoop>(recognised), machine);
    changed |= done.method != PrefetchMethod::None;
    hasStages |= done.stages > 1;
  }
  if (changed)
    eraseDead(kernel);
}

void PrefetchTiles::runOnOperation() {
  if (stages < 0 || stages > kMostStages) {
    getOperation().emitError("expected 'stages' from 0 to ")
        << kMostStages << ", got " << stages.getValue();
    return signalPassFailure();
  }
  FailureOr<TargetAttr> machine = resolveTarget(getOperation(), target);
  if (failed(machine))
    return signalPassFailure();
  for (gpu::GPUFuncOp kernel : collectKernels(getOperation())) {
    runOnKernel(kernel, *machine);
    unrollLoads(kernel);
  }
}
