//===- VersionGuards.cpp - a version without guards for inner blocks ------===//
//
// Nearly all blocks of a launch lie wholly inside the arrays: every guard is
// true for every thread of them. One block-uniform test tells these blocks from
// the others, and they run a copy of the kernel's body without guards. Where
// threads have nothing to do with each other, each of them finds out for
// itself: even in the last block only the last of them have guards. Loops over
// tiles are split into full tiles and a rest in the same way; there the bounds
// of the inner loops become constants. Where only the fill of tiles and what
// follows the loop are guarded, only these stand twice.
//
//===----------------------------------------------------------------------===//

#include "passes/Analysis/CollectiveLoops.h"
#include "passes/Analysis/Conditions.h"
#include "passes/Analysis/IndexBounds.h"
#include "passes/Analysis/LibraryCalls.h"
#include "passes/Analysis/LoopRange.h"
#include "passes/Analysis/Uniformity.h"
#include "passes/Transforms/Passes.h"
#include "passes/Transforms/Utils/Kernels.h"
#include "passes/Transforms/Versions/UnguardedCode.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace gpuopt {
#define GEN_PASS_DEF_VERSIONGUARDS
#include "passes/Transforms/Passes.h.inc"
} // namespace gpuopt

using namespace mlir;
using namespace gpuopt;

//===----------------------------------------------------------------------===//
// Guards
//===----------------------------------------------------------------------===//

/// Whether nothing happens where the condition of `branch` is false.
static bool isGuard(scf::IfOp branch) {
  return branch.getElseRegion().empty() ||
         llvm::all_of(branch.elseBlock()->without_terminator(),
                      [](Operation &op) { return isPure(&op); }) ||
         // Replicas that do not all pass their guards, see MergeThreads.cpp.
         llvm::all_of(branch.elseBlock()->without_terminator(),
                      [](Operation &op) {
                        auto inner = dyn_cast<scf::IfOp>(op);
                        return inner ? isGuard(inner) : isPure(&op);
                      });
}

//===----------------------------------------------------------------------===//
// Known extents
//===----------------------------------------------------------------------===//

namespace {
/// How far a margin holds that is a number less a multiple of a block's id.
struct KnownReach {
  /// Work items of the blocks for which it is not negative.
  int64_t items;
  /// The extent that guards every side effect, see `GeometryAttr`.
  int64_t extent;
};
} // namespace

/// For an extent of 4096 and 64 items in a block, the margin 4032 - b * 64
/// holds up to block 63: for 4096 items.
static std::optional<KnownReach> findKnownReach(const Polynomial &margin,
                                                const IndexBounds &bounds,
                                                GeometryAttr geometry) {
  SmallVector<unsigned> variables = margin.getVariables();
  if (!geometry.getExtents() || variables.size() != 1 || !margin.isLinear())
    return std::nullopt;
  Value value = bounds.valueOf(variables.front());
  auto block = value ? value.getDefiningOp<gpu::BlockIdOp>() : gpu::BlockIdOp();
  int64_t factor = margin.getCoefficient({variables.front()});
  if (!block || factor >= 0 || margin.getConstantTerm() < 0)
    return std::nullopt;
  auto dimension = static_cast<size_t>(block.getDimension());
  auto map = dyn_cast<AffineMapAttr>(geometry.getExtents()[dimension]);
  auto extent = map ? dyn_cast<AffineConstantExpr>(map.getValue().getResult(0))
                    : AffineConstantExpr();
  int64_t items;
  if (!extent ||
      llvm::MulOverflow(margin.getConstantTerm() / -factor + 1,
                        geometry.getItemsPerBlock()[dimension], items))
    return std::nullopt;
  return KnownReach{items, extent.getValue()};
}

namespace {
/// Finds out what to do.
class UnguardedVersionPlanner {
public:
  UnguardedVersionPlanner(gpu::GPUFuncOp kernel, IndexBounds &bounds,
                          const UniformityAnalysis &uniformity,
                          const Setup &setup)
      : kernel(kernel), bounds(bounds), uniformity(uniformity), setup(setup) {}

  VersionPlan plan();

private:
  void considerCondition(Value condition);
  void considerGuard(const Conjunct &guard);
  void considerMinimum(AffineMap map, ValueRange operands);
  bool isTestable(const Polynomial &margin);
  bool isProductForBlock(const Polynomial &margin);
  void addMargin(const Polynomial &margin);

  gpu::GPUFuncOp kernel;
  IndexBounds &bounds;
  const UniformityAnalysis &uniformity;
  const Setup &setup;
  VersionPlan result;
};
} // namespace

/// Whether `margin` can be computed before the versions, by a thread for itself
/// or once for the block. A test against a number from above would hold for few
/// blocks, but for those that lie inside a known extent.
bool UnguardedVersionPlanner::isTestable(const Polynomial &margin) {
  bool hasParameter = false, isFromBelow = true;
  for (unsigned variable : margin.getVariables()) {
    Value value = bounds.valueOf(variable);
    if (!value || !(result.isForEachThread || uniformity.isBlockUniform(value)))
      return false;
    Operation *op = value.getDefiningOp();
    bool isKnownAtTop =
        op ? setup.contains(op)
           : cast<BlockArgument>(value).getOwner() == &kernel.getBody().front();
    if (!isKnownAtTop)
      return false;
    hasParameter |= !isa_and_nonnull<gpu::BlockIdOp>(op);
    isFromBelow &= margin.getCoefficient({variable}) > 0;
  }
  if (!gpuopt::isTestable(margin, bounds))
    return false;
  auto reach = findKnownReach(margin, bounds, geometryOf(kernel));
  return hasParameter || isFromBelow || result.isForEachThread ||
         (reach && reach->items >= reach->extent / 2);
}

/// Of margins that differ by a constant, the smaller one implies the other.
void UnguardedVersionPlanner::addMargin(const Polynomial &margin) {
  for (Polynomial &other : result.margins)
    if (auto difference = (margin - other).getConstant()) {
      if (*difference < 0)
        other = margin;
      return;
    }
  result.margins.push_back(margin);
}

/// Considers every comparison in `condition`: where a branch is taken if one of
/// several conditions holds, it is worth to know each of them.
void UnguardedVersionPlanner::considerCondition(Value condition) {
  if (auto either = condition.getDefiningOp<arith::OrIOp>()) {
    considerCondition(either.getLhs());
    return considerCondition(either.getRhs());
  }
  Conjunction conjunction;
  takeApart({condition, false}, conjunction);
  for (const Conjunct &guard : conjunction.conjuncts)
    considerGuard(guard);
  for (const Condition &other : conjunction.others)
    if (!other.negated && other.value != condition)
      considerCondition(other.value);
}

/// Whether `margin` is about a product of sizes, and the same for all threads of
/// a block: the block branches once, in either version.
bool UnguardedVersionPlanner::isProductForBlock(const Polynomial &margin) {
  bool hasProduct = false;
  for (unsigned variable : margin.getVariables()) {
    Value value = bounds.valueOf(variable);
    Interval range = bounds.getRange(variable);
    bool isConstant = range.low == range.high;
    if (!isConstant && (!value || !uniformity.isBlockUniform(value)))
      return false;
    hasProduct |= value && value.getDefiningOp<arith::MulIOp>();
  }
  return hasProduct;
}

void UnguardedVersionPlanner::considerGuard(const Conjunct &guard) {
  auto margin = bounds.marginOf(guard.predicate, guard.left, guard.right);
  if (!margin)
    return;
  IndexBounds::TileLoops used;
  Polynomial least = bounds.minimum(*margin, &used);
  std::optional<int64_t> constant = least.getConstant();
  if (constant ? *constant < 0 : !isTestable(least))
    return;
  if (!constant && isProductForBlock(*margin))
    return;
  ++result.guards;
  result.tileLoops.insert(used.begin(), used.end());
  if (!constant)
    addMargin(least);
}

/// A minimum that is a constant in full tiles is worth to split them off.
void UnguardedVersionPlanner::considerMinimum(AffineMap map,
                                              ValueRange operands) {
  SmallVector<Polynomial> forms = bounds.formsOf(map, operands);
  const auto *constant = llvm::find_if(
      forms, [](const Polynomial &form) { return form.isConstant(); });
  if (forms.size() < 2 || constant == forms.end())
    return;
  IndexBounds::TileLoops used;
  for (const Polynomial &form : forms) {
    auto least = bounds.minimum(form - *constant, &used).getConstant();
    if (!least || *least < 0)
      return;
  }
  result.tileLoops.insert(used.begin(), used.end());
}

VersionPlan UnguardedVersionPlanner::plan() {
  result.isForEachThread = bounds.areOfOneThread();
  kernel.getBody().walk([&](affine::AffineForOp loop) {
    if (IndexBounds::isTileLoop(loop) && hasRoomForLength(loop))
      bounds.assumeFullTiles(loop);
  });
  kernel.getBody().walk([&](Operation *op) {
    if (auto branch = dyn_cast<scf::IfOp>(op); branch && isGuard(branch))
      considerCondition(branch.getCondition());
    // A guard of what a loop computed, see Positions/Speculation.h.
    if (auto select = dyn_cast<arith::SelectOp>(op);
        select && select.getTrueValue().getDefiningOp<LoopLikeOpInterface>())
      considerCondition(select.getCondition());
    if (auto loop = dyn_cast<affine::AffineForOp>(op))
      considerMinimum(loop.getUpperBoundMap(), loop.getUpperBoundOperands());
    if (auto minimum = dyn_cast<affine::AffineMinOp>(op))
      considerMinimum(minimum.getAffineMap(), minimum.getOperands());
  });
  // Where a margin that reaches the extent is negative, no work item is inside.
  result.hasRest = result.margins.empty() ||
                   !llvm::all_of(result.margins, [&](const Polynomial &margin) {
                     auto reach =
                         findKnownReach(margin, bounds, geometryOf(kernel));
                     return reach && reach->items >= reach->extent;
                   });
  return result;
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {
struct VersionGuards : public gpuopt::impl::VersionGuardsBase<VersionGuards> {
  using VersionGuardsBase::VersionGuardsBase;

  void runOnOperation() override {
    for (gpu::GPUFuncOp kernel : collectKernels(getOperation()))
      if (std::optional<Refusal> refusal = version(kernel))
        sayMissed(RemarkCode::GuardsNotVersioned, kernel, *refusal);
  }

  std::optional<Refusal> version(gpu::GPUFuncOp kernel);
};
} // namespace

/// A subscript has to be known at the top of the kernel: one that is loaded
/// there cannot move into a version.
static std::optional<Refusal> checkSubscripts(gpu::GPUFuncOp kernel,
                                              const Setup &setup) {
  for (Operation &op : kernel.getBody().front().without_terminator())
    if (!setup.contains(&op) && !isa<affine::AffineApplyOp>(op))
      for (OpOperand &use : op.getUses())
        if (use.get().getType().isIndex() &&
            isa<affine::AffineDialect>(use.getOwner()->getDialect()))
          return Refusal{
              op.getLoc(),
              "a subscript depends on a value that is computed here"};
  return std::nullopt;
}

/// Whether a thread has so much to do that guards matter.
static bool isWorthVersioning(gpu::GPUFuncOp kernel) {
  bool hasLoop = kernel.getBody()
                     .walk([](LoopLikeOpInterface loop) {
                       return isCollective(loop) ? WalkResult::advance()
                                                 : WalkResult::interrupt();
                     })
                     .wasInterrupted();
  return hasLoop || llvm::any_of(geometryOf(kernel).getItemsPerThread(),
                                 [](int64_t items) { return items > 1; });
}

/// Whether threads of `kernel` do nothing together, as far as can be known.
static bool isEachThreadAlone(gpu::GPUFuncOp kernel) {
  auto isTogether = [](Operation *op) {
    bool mayCall = isa<CallOpInterface>(op) && !callsLibrary(op);
    bool isTogether = isa<gpu::BarrierOp>(op) || isCollective(op) || mayCall ||
                      mayReadRegisters(op) || dependsOnThreadGrouping(op);
    return isTogether ? WalkResult::interrupt() : WalkResult::advance();
  };
  return kernel.getNumWorkgroupAttributions() == 0 &&
         !kernel.getBody().walk(isTogether).wasInterrupted();
}

/// Whether a margin grows by several from thread to thread: each has work items
/// that are neighbours.
static bool hasNeighbours(const VersionPlan &plan, const IndexBounds &bounds) {
  return llvm::any_of(plan.margins, [&](const Polynomial &margin) {
    return llvm::any_of(margin.getVariables(), [&](unsigned variable) {
      Value value = bounds.valueOf(variable);
      return value && value.getDefiningOp<gpu::ThreadIdOp>() &&
             std::abs(margin.getCoefficient({variable})) > 1;
    });
  });
}

namespace {
/// A plan, and the bounds that its variables are of.
struct BoundPlan {
  VersionPlan plan;
  std::unique_ptr<IndexBounds> bounds;
};
} // namespace

/// What to do, with tests for each thread or for a block.
static BoundPlan findPlan(gpu::GPUFuncOp kernel,
                          const UniformityAnalysis &uniformity,
                          const Setup &setup, bool ofThreads) {
  ArrayRef<int64_t> block = geometryOf(kernel).getBlock();
  auto bounds = std::make_unique<IndexBounds>(
      kernel, std::array<int64_t, 3>{block[0], block[1], block[2]});
  bounds->keepThreads(ofThreads);
  bounds->keepProducts(true);
  VersionPlan plan =
      UnguardedVersionPlanner(kernel, *bounds, uniformity, setup).plan();
  return {std::move(plan), std::move(bounds)};
}

static BoundPlan findPlan(gpu::GPUFuncOp kernel,
                          const UniformityAnalysis &uniformity,
                          const Setup &setup) {
  BoundPlan ofBlock = findPlan(kernel, uniformity, setup, /*ofThreads=*/false);
  // Without a rest there is one version for all.
  bool isDecided = !ofBlock.plan.margins.empty() && !ofBlock.plan.hasRest;
  if (isDecided || !isEachThreadAlone(kernel))
    return ofBlock;
  BoundPlan ofThreads = findPlan(kernel, uniformity, setup, /*ofThreads=*/true);
  return hasNeighbours(ofThreads.plan, *ofThreads.bounds) ? std::move(ofThreads)
                                                          : std::move(ofBlock);
}

static int64_t countOperations(gpu::GPUFuncOp kernel) {
  int64_t count = 0;
  kernel.getBody().walk([&](Operation *) { ++count; });
  return count;
}

std::optional<Refusal> VersionGuards::version(gpu::GPUFuncOp kernel) {
  GeometryAttr geometry = geometryOf(kernel);
  if (!geometry)
    return Refusal{kernel.getLoc(), "the kernel's block shape is not known"};
  if (!kernel.getBody().hasOneBlock())
    return Refusal{kernel.getLoc(), "the control flow is not structured"};
  gatherIds(kernel);
  Setup setup = findSetup(kernel);
  if (std::optional<Refusal> refusal = checkSubscripts(kernel, setup))
    return refusal;
  int64_t count = countOperations(kernel);
  if (count > maxOperations)
    return Refusal{kernel.getLoc(), "the kernel has " + std::to_string(count) +
                                        " operations, too many to have twice"};

  UniformityAnalysis uniformity(kernel);
  auto [plan, bounds] = findPlan(kernel, uniformity, setup);
  if (plan.margins.empty() && plan.tileLoops.empty())
    return Refusal{kernel.getLoc(),
                   "no guard can be decided for a whole block"};
  if (!isWorthVersioning(kernel))
    return Refusal{
        kernel.getLoc(),
        "a thread has one work item and no loop, its guards cost little"};
  bool inParts = versionParts(kernel, plan, *bounds, setup);
  if (!inParts)
    versionKernel(kernel, plan, *bounds, setup);
  ++versioned;
  sayPassed(plan.isForEachThread ? RemarkCode::ThreadsInsideVersioned
                                 : RemarkCode::BlocksInsideVersioned,
            kernel, kernel.getLoc())
      << remark::metric("tests", static_cast<int>(plan.margins.size()))
      << remark::metric("guards", plan.guards)
      << remark::metric("split_loops",
                        inParts ? 0 : static_cast<int>(plan.tileLoops.size()));
  return std::nullopt;
}
