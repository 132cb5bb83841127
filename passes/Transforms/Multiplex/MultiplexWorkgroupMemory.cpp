//===- MultiplexWorkgroupMemory.cpp - workgroup memory in turns -----------===//
//
// find regions -> move out of them what may -> merge blocks -> let their
// threads take turns in each region.
//
//===----------------------------------------------------------------------===//

#include "dialects/GPUOpt/AttributeNames.h"
#include "passes/Analysis/AccessReport.h"
#include "passes/Analysis/CollectiveLoops.h"
#include "passes/Analysis/Occupancy.h"
#include "passes/Transforms/Merge/Coarsening.h"
#include "passes/Transforms/Merge/SubBlocks.h"
#include "passes/Transforms/Multiplex/VirtualBlocks.h"
#include "passes/Transforms/Passes.h"
#include "passes/Transforms/Utils/IndexUses.h"
#include "passes/Transforms/Utils/Kernels.h"
#include "passes/Transforms/Utils/RegisterPressure.h"
#include "passes/Transforms/Utils/UnrollLoop.h"
#include "passes/Transforms/Utils/WorkgroupMemory.h"

#include "mlir/Dialect/Affine/Analysis/LoopAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

#include <variant>

namespace gpuopt {
#define GEN_PASS_DEF_MULTIPLEXWORKGROUPMEMORY
#include "passes/Transforms/Passes.h.inc"
} // namespace gpuopt

using namespace mlir;
using namespace gpuopt;

//===----------------------------------------------------------------------===//
// Legality
//===----------------------------------------------------------------------===//

/// The dimension along which merged blocks lie one behind the other in the
/// order of threads.
static gpu::Dimension lastDimension(gpu::GPUFuncOp kernel) {
  BlockShape block = blockShapeOf(kernel);
  return block[2] > 1   ? gpu::Dimension::z
         : block[1] > 1 ? gpu::Dimension::y
                        : gpu::Dimension::x;
}

/// Checks that blocks of `kernel` may be merged as far as arrays do not matter.
static std::optional<Refusal> checkMerge(gpu::GPUFuncOp kernel,
                                         const MergeRequest &request,
                                         const UniformityAnalysis &uniformity,
                                         TargetAttr target) {
  if (auto refusal = checkBlocksIndependent(kernel, request.dimension))
    return refusal;
  if (auto refusal = checkThreadGrouping(kernel, request.dimension, target))
    return refusal;
  if (auto refusal = checkThreadCount(kernel, request.factor, target))
    return refusal;
  return checkBarriersAgree(kernel, uniformity, request.dimension);
}

/// A loop that fills a tile which a pass has made; null where there is none.
static Operation *findCollectiveLoop(gpu::GPUFuncOp kernel) {
  Operation *found = nullptr;
  kernel.walk([&](Operation *op) {
    found = isCollective(op) ? op : nullptr;
    return found ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found;
}

/// Checks that the kernel's arrays and threads are of the kind that is known
/// here.
static std::optional<Refusal> checkForm(gpu::GPUFuncOp kernel,
                                        const MergeRequest &request,
                                        TargetAttr target) {
  if (Operation *loop = findCollectiveLoop(kernel))
    return Refusal{loop->getLoc(),
                   "its workgroup memory has tiles that loads were staged in"};
  bool readsBlock = false;
  kernel.getBody().walk([&](gpu::BlockIdOp id) {
    readsBlock |= id.getDimension() == request.dimension;
  });
  if (!readsBlock)
    return Refusal{kernel.getLoc(),
                   "it does not read the block's id along the last dimension "
                   "of its block"};
  if (llvm::product_of(blockShapeOf(kernel)) % target.getSubgroupSize() != 0)
    return Refusal{kernel.getLoc(), "its blocks are no whole subgroups"};
  return std::nullopt;
}

/// Whether threads may still be in a region that ends with `before` when some
/// get to `region`; `before` is null where no region comes before it in the
/// program.
static bool followsOthers(const AccessRegion &region, Operation *before) {
  Block *block = region.first->getBlock();
  if (!before && isa<gpu::GPUFuncOp>(block->getParentOp()))
    return false;
  // What stands in front of it in its own block of operations.
  Operation *around = before ? block->findAncestorOpInBlock(*before) : nullptr;
  Block::iterator begin =
      around ? std::next(around->getIterator()) : block->begin();
  return std::none_of(begin, region.first->getIterator(),
                      [](Operation &op) { return isa<gpu::BarrierOp>(op); });
}

//===----------------------------------------------------------------------===//
// Rewrite
//===----------------------------------------------------------------------===//

namespace {
/// A kernel's regions, as long as it does not change.
struct KernelRegions {
  KernelRegions(gpu::GPUFuncOp kernel, const UniformityAnalysis &uniformity,
                gpu::Dimension dimension)
      : liveness(kernel, blockShapeOf(kernel)),
        regions(findAccessRegions(kernel, liveness, [&](Operation *op) {
          Dependence control = uniformity.controlDependsOn(op);
          return UniformityAnalysis::isBlockUniform(control) &&
                 !isVariant(control, dimension);
        })) {}

  WorkgroupLiveness liveness;
  std::vector<AccessRegion> regions;
};
} // namespace

/// Whether `loop` stores to workgroup memory what it loads from elsewhere, so
/// often that a thread can have it all in registers.
static bool isShortFill(affine::AffineForOp loop,
                        const WorkgroupLiveness &liveness) {
  constexpr uint64_t mostTrips = 32, mostOperations = 512;
  std::optional<uint64_t> trips = affine::getConstantTripCount(loop);
  if (!trips || *trips > mostTrips || synchronises(loop))
    return false;
  uint64_t operations = 0;
  bool loads = false, stores = false, loadsTile = false, areNumbers = true;
  loop.walk([&](Operation *op) {
    ++operations;
    areNumbers &= llvm::all_of(op->getResultTypes(), isNumber);
    bool isLoad = isa<affine::AffineLoadOp, memref::LoadOp>(op);
    bool isTile = liveness.accesses(op) && op->getNumRegions() == 0;
    loads |= isLoad && !isTile;
    stores |= isa<affine::AffineStoreOp, memref::StoreOp>(op) && isTile;
    loadsTile |= isTile && !isa<affine::AffineStoreOp, memref::StoreOp>(op);
  });
  return loads && stores && !loadsTile && areNumbers &&
         operations * *trips <= mostOperations;
}

/// Unrolls such loops at the start of regions: what they load need not wait for
/// the turn of the block. Returns whether there were any.
static bool unrollFills(const KernelRegions &kernel) {
  SmallVector<affine::AffineForOp> fills;
  for (const AccessRegion &region : kernel.regions)
    for (Operation *op : region.operations()) {
      if (synchronises(op))
        break;
      auto loop = dyn_cast<affine::AffineForOp>(op);
      if (loop && isShortFill(loop, kernel.liveness))
        fills.push_back(loop);
    }
  bool hasChanged = false;
  for (affine::AffineForOp loop : fills)
    hasChanged |= succeeded(unrollFully(loop));
  return hasChanged;
}

static std::optional<Refusal> checkTurns(const KernelRegions &kernel) {
  for (const AccessRegion &region : kernel.regions)
    if (auto refusal = checkTurns(region))
      return refusal;
  return std::nullopt;
}

/// Lets `factor` blocks of `kernel` take turns, or says why not: then nothing
/// has changed, but that short loops may be unrolled. Returns the number of
/// regions.
static std::variant<Refusal, int64_t>
tryMultiplexing(gpu::GPUFuncOp kernel, int64_t factor, TargetAttr target) {
  MergeRequest request{lastDimension(kernel), factor};
  if (auto refusal = checkForm(kernel, request, target))
    return *refusal;
  auto uniformity = std::make_unique<UniformityAnalysis>(kernel);
  if (auto refusal = checkMerge(kernel, request, *uniformity, target))
    return *refusal;
  auto analysis =
      std::make_unique<KernelRegions>(kernel, *uniformity, request.dimension);
  if (auto refusal = checkTurns(*analysis))
    return *refusal;
  if (unrollFills(*analysis)) {
    uniformity = std::make_unique<UniformityAnalysis>(kernel);
    analysis =
        std::make_unique<KernelRegions>(kernel, *uniformity, request.dimension);
    // One region may be what several were: the analysis gives up sooner.
    if (auto refusal = checkTurns(*analysis))
      return *refusal;
  }
  auto &[liveness, regions] = *analysis;

  for (const AccessRegion &region : regions)
    shrinkRegion(region, liveness);
  std::vector<std::vector<AccessRegion>> groups;
  if (factor == 2)
    groups = groupForPipelines(regions);
  else
    for (const AccessRegion &region : regions)
      groups.push_back({region});
  SmallVector<bool> afterOthers;
  Operation *before = nullptr;
  for (ArrayRef<AccessRegion> group : groups) {
    afterOthers.push_back(followsOthers(group.front(), before));
    before = group.back().last;
  }
  scaleGridSizes(kernel, request);
  Value subBlock = splitIntoSubBlocks(kernel, request);
  OpBuilder builder(kernel.getContext());
  builder.setInsertionPointAfterValue(subBlock);
  SmallVector<Value> isTurn;
  for (int64_t number = 0; number < factor; ++number)
    isTurn.push_back(arith::CmpIOp::create(
        builder, kernel.getLoc(), arith::CmpIPredicate::eq, subBlock,
        arith::ConstantIndexOp::create(builder, kernel.getLoc(), number)));
  for (auto [group, follows] : llvm::zip_equal(groups, afterOthers))
    takeTurns(group, isTurn, follows);
  simplifyIndices(kernel);
  updateGeometry(kernel, request, /*growBlock=*/true);
  return static_cast<int64_t>(regions.size());
}

//===----------------------------------------------------------------------===//
// Choice
//===----------------------------------------------------------------------===//

/// Whether more blocks of `kernel` would be resident with less workgroup
/// memory.
static bool isLimitedByMemory(gpu::GPUFuncOp kernel, TargetAttr target) {
  int64_t threads = llvm::product_of(blockShapeOf(kernel));
  int64_t registers =
      std::min(estimateRegisters(kernel), target.getRegistersPerThread());
  auto occupancy = [&](int64_t bytes) {
    return computeOccupancy({threads, registers, bytes}, target)
        .subgroupsPerMultiprocessor;
  };
  return occupancy(0) > occupancy(workgroupBytes(kernel));
}

/// How many blocks of `kernel` should take turns by the model, or why it should
/// stay as it is. Changes nothing in the end.
static std::variant<Refusal, int64_t> chooseFactor(gpu::GPUFuncOp kernel,
                                                   TargetAttr target) {
  Location loc = kernel.getLoc();
  if (!isLimitedByMemory(kernel, target))
    return Refusal{loc, "workgroup memory does not limit the blocks of a "
                        "multiprocessor"};
  std::optional<Refusal> refusal;
  auto costWith = [&](int64_t factor) {
    return costOfCopy(
        kernel,
        [&](gpu::GPUFuncOp copy) {
          auto outcome = tryMultiplexing(copy, factor, target);
          if (auto *why = std::get_if<Refusal>(&outcome); why && !refusal)
            refusal = std::move(*why);
          return std::holds_alternative<int64_t>(outcome);
        },
        target);
  };
  std::optional<ItemCost> best =
      costOfCopy(kernel, [](gpu::GPUFuncOp) { return true; }, target);
  int64_t chosen = 1;
  for (int64_t factor : {2, 4}) {
    std::optional<ItemCost> cost = costWith(factor);
    if (!cost || !isWorthwhile(*cost, *best))
      break;
    best = cost;
    chosen = factor;
  }
  if (chosen > 1)
    return chosen;
  return refusal.value_or(
      Refusal{loc, "blocks that take turns with it are not quicker by the "
                   "model"});
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {
struct MultiplexWorkgroupMemory
    : public gpuopt::impl::MultiplexWorkgroupMemoryBase<
          MultiplexWorkgroupMemory> {
  using MultiplexWorkgroupMemoryBase::MultiplexWorkgroupMemoryBase;

  void runOnOperation() override {
    FailureOr<TargetAttr> machine = resolveTarget(getOperation(), target);
    if (failed(machine))
      return signalPassFailure();
    if (factor < 0) {
      getOperation().emitError("expected 'factor' to be 0 or more, found ")
          << factor;
      return signalPassFailure();
    }
    for (gpu::GPUFuncOp kernel : collectKernels(getOperation()))
      multiplex(kernel, *machine);
  }

  void multiplex(gpu::GPUFuncOp kernel, TargetAttr machine);
};
} // namespace

void MultiplexWorkgroupMemory::multiplex(gpu::GPUFuncOp kernel,
                                         TargetAttr machine) {
  if (factor == 1 || kernel.getNumWorkgroupAttributions() == 0 ||
      (factor == 0 && findCollectiveLoop(kernel)))
    return;
  if (!geometryOf(kernel) || !kernel.getBody().hasOneBlock())
    return sayMissed(
        RemarkCode::MemoryNotMultiplexed, kernel,
        Refusal{kernel.getLoc(), "the kernel's block shape is not known"});
  int64_t bytes = workgroupBytes(kernel), number = factor;
  std::variant<Refusal, int64_t> outcome = number;
  if (number == 0)
    outcome = chooseFactor(kernel, machine);
  if (std::holds_alternative<int64_t>(outcome)) {
    number = std::get<int64_t>(outcome);
    outcome = tryMultiplexing(kernel, number, machine);
  }
  if (const auto *refusal = std::get_if<Refusal>(&outcome))
    return sayMissed(RemarkCode::MemoryNotMultiplexed, kernel, *refusal);
  ++multiplexed;
  sayPassed(RemarkCode::MemoryMultiplexed, kernel, kernel.getLoc(),
            {{"factor", number},
             {"dimension", gpu::stringifyDimension(lastDimension(kernel))},
             {"bytes", bytes},
             {"regions", std::get<int64_t>(outcome)}});
}
