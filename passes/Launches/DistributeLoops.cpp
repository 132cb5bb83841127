//===- DistributeLoops.cpp - a work item for each iteration ---------------===//
//
// find the loops around all that the kernel does → check that their iterations
// are independent → try it on a copy, for the neighbours' sake → keep the
// original → a guard in the place of each loop → raise.
//
//===----------------------------------------------------------------------===//

#include "dialects/GPUOpt/AffineParts.h"
#include "dialects/GPUOpt/LaunchConditions.h"
#include "passes/Analysis/AccessFunction.h"
#include "passes/Analysis/ArgumentExpressions.h"
#include "passes/Analysis/DominatingFacts.h"
#include "passes/Analysis/ItemsOfEach.h"
#include "passes/Analysis/SubscriptRanges.h"
#include "passes/Analysis/ThreadOrder.h"
#include "passes/Launches/IndependentIterations.h"
#include "passes/Launches/LaunchedItems.h"
#include "passes/Launches/Passes.h"
#include "passes/Raising/Passes.h"
#include "passes/Transforms/Geometry/LaunchObstacle.h"
#include "passes/Transforms/Utils/Addresses.h"
#include "passes/Transforms/Utils/Extents.h"
#include "passes/Transforms/Utils/Kernels.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/PassManager.h"

#include <variant>

namespace gpuopt {
#define GEN_PASS_DEF_DISTRIBUTELOOPS
#include "passes/Launches/Passes.h.inc"
} // namespace gpuopt

using namespace mlir;
using namespace gpuopt;

/// Rows that are shorter leave most lanes of a subgroup without work.
static constexpr int64_t kLeastWidth = 16;

namespace {
/// A loop that becomes a dimension of the launch.
struct ItemLoop {
  affine::AffineForOp loop;
  /// From the first iteration to the end, over arguments.
  AffineExpr length;
  /// Where other loops or ids decide where the loop begins, work items begin at
  /// 0, which is not behind that.
  bool beginsAtZero = false;

  AffineExpr items() const {
    return length.ceilDiv(affine::AffineForOp(loop).getStepAsInt());
  }
};

/// What becomes of the ids of a kernel, and which get new ones.
struct ItemPlan {
  SmallVector<ItemLoop> loops;
  /// For each dimension of the source's launch the new one; none where nothing
  /// reads it, or only its first work item acts.
  std::array<std::optional<unsigned>, 3> places;
  /// How many work items guards let act along dimensions of the source.
  std::array<AffineExpr, 3> extents;
  /// What must not be negative for that.
  SmallVector<AffineExpr> nonNegative;
  /// For each of `loops`.
  SmallVector<unsigned> dimensions;

  /// Whether the kernel has been one work item's.
  bool isSingle() const {
    return llvm::none_of(places, [](auto place) { return place.has_value(); });
  }
  /// Makes `fastest` to x.
  void swapWithX(unsigned fastest);
};
} // namespace

void ItemPlan::swapWithX(unsigned fastest) {
  auto swapped = [&](unsigned place) {
    return place == 0 ? fastest : place == fastest ? 0 : place;
  };
  for (std::optional<unsigned> &place : places)
    if (place)
      place = swapped(*place);
  for (unsigned &dimension : dimensions)
    dimension = swapped(dimension);
}

//===----------------------------------------------------------------------===//
// The loops
//===----------------------------------------------------------------------===//

static bool hasEffect(Operation *op) {
  return op->getNumRegions() == 0 && !op->hasTrait<OpTrait::IsTerminator>() &&
         !isMemoryEffectFree(op) && !hasSingleEffect<MemoryEffects::Read>(op);
}

/// The loops around all that `kernel` does to memory, outermost first, where it
/// has no others beside them.
static SmallVector<affine::AffineForOp> findLoopsAround(gpu::GPUFuncOp kernel) {
  SmallVector<affine::AffineForOp> around;
  bool isFirst = true;
  kernel.getBody().walk([&](Operation *op) {
    if (!hasEffect(op))
      return;
    SmallVector<affine::AffineForOp> own;
    for (Operation *parent = op->getParentOp(); parent != kernel;
         parent = parent->getParentOp())
      if (auto loop = dyn_cast<affine::AffineForOp>(parent))
        own.insert(own.begin(), loop);
      else if (isa<LoopLikeOpInterface>(parent))
        own.clear(); // What is in it is not at the top.
    if (isFirst)
      around = own;
    isFirst = false;
    size_t common = 0;
    while (common < around.size() && common < own.size() &&
           around[common] == own[common])
      ++common;
    around.truncate(common);
  });
  if (around.empty() || around.front()->getParentOfType<LoopLikeOpInterface>())
    return {};
  // What other loops compute would be computed by each work item.
  WalkResult others = kernel.getBody().walk([&](LoopLikeOpInterface loop) {
    return around.back()->isAncestor(loop) || llvm::is_contained(around, loop)
               ? WalkResult::advance()
               : WalkResult::interrupt();
  });
  return others.wasInterrupted() ? SmallVector<affine::AffineForOp>() : around;
}

namespace {
/// Finds loops, and how many work items they need.
class Finder {
public:
  explicit Finder(gpu::GPUFuncOp kernel)
      : kernel(kernel), values(kernel), found(findExtents(kernel)) {}

  /// Whether neighbouring iterations of a loop around all that the kernel does
  /// access neighbouring elements, and neighbouring work items do not; or there
  /// is only one work item.
  bool hasCandidates();
  /// The plan; or why there is none.
  std::variant<ItemPlan, Refusal> plan();

private:
  bool isAlongRow(affine::AffineForOp loop);
  std::optional<Refusal> findPlaces(ItemPlan &plan);
  AffineExpr greatest(const Polynomial &end);
  std::optional<ItemLoop> measure(affine::AffineForOp loop);

  gpu::GPUFuncOp kernel;
  IntegerValues values;
  Extents found;
  SmallVector<affine::AffineForOp> loops;
};
} // namespace

/// Whether a guard lets the first work item alone act.
static bool isOne(AffineExpr extent) {
  auto constant = dyn_cast_or_null<AffineConstantExpr>(extent);
  return constant && constant.getValue() == 1;
}

/// The dimensions whose ids tell work items apart.
static std::array<bool, 3> usedDimensions(gpu::GPUFuncOp kernel,
                                          const Extents &extents) {
  std::array<bool, 3> used = {};
  kernel.walk([&](gpu::GlobalIdOp id) {
    auto dim = static_cast<unsigned>(id.getDimension());
    used[dim] = !isOne(extents.end(dim));
  });
  return used;
}

bool Finder::isAlongRow(affine::AffineForOp loop) {
  std::optional<unsigned> iterator =
      values.get(loop.getInductionVar()).value.getVariable();
  unsigned x = *values.getId(Atom::Kind::GlobalId, 0).getVariable();
  WalkResult result = loop.walk([&](Operation *op) {
    std::optional<ElementAddress> address = getElementAddress(op, values);
    return address && address->offset.getCofactor(*iterator) == Polynomial(1) &&
                   address->offset.getCofactor(x) != Polynomial(1)
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  return result.wasInterrupted();
}

bool Finder::hasCandidates() {
  loops = findLoopsAround(kernel);
  for (auto [index, loop] : llvm::enumerate(loops))
    if (!values.get(loop.getInductionVar()).value.getVariable()) {
      loops.truncate(index);
      break;
    }
  return !loops.empty() &&
         (!llvm::is_contained(usedDimensions(kernel, found), true) ||
          llvm::any_of(loops, [&](auto loop) { return isAlongRow(loop); }));
}

std::optional<Refusal> Finder::findPlaces(ItemPlan &plan) {
  auto own = kernel->getAttrOfType<AffineMapAttr>(kWorkItemsAttrName);
  std::array<bool, 3> used = usedDimensions(kernel, found);
  for (unsigned dim = 0; dim < 3; ++dim) {
    if (isOne(found.end(dim)))
      plan.extents[dim] = found.end(dim);
    if (!used[dim])
      continue;
    plan.places[dim] = dim;
    plan.extents[dim] = own ? own.getValue().getResult(dim) : found.end(dim);
    // Conditions have no quotients.
    if (!plan.extents[dim] || (!own && hasPart(plan.extents[dim], isQuotient)))
      return Refusal{kernel.getLoc(),
                     std::string("no guard bounds the work items along ") +
                         "xyz"[dim]};
  }
  llvm::append_range(plan.nonNegative, found.nonNegative);
  return std::nullopt;
}

/// `end` over arguments where ids in it are at their last; null where that is
/// not known.
AffineExpr Finder::greatest(const Polynomial &end) {
  Polynomial rest = end;
  AffineExpr ofIds = getAffineConstantExpr(0, kernel.getContext());
  for (unsigned dim = 0; dim < 3; ++dim) {
    Polynomial id = values.getId(Atom::Kind::GlobalId, dim);
    if (!end.contains(*id.getVariable()))
      continue;
    std::optional<int64_t> factor =
        end.getCofactor(*id.getVariable()).getConstant();
    if (!factor || *factor < 0 || !found.end(dim))
      return {};
    rest -= *factor * id;
    ofIds = ofIds + (found.end(dim) - 1) * *factor;
  }
  AffineExpr known = expressionOverArguments(kernel, values, rest);
  return known ? known + ofIds : AffineExpr();
}

std::optional<ItemLoop> Finder::measure(affine::AffineForOp loop) {
  SmallVector<Polynomial> begins =
      values.get(loop.getLowerBoundMap(), loop.getLowerBoundOperands());
  SmallVector<Polynomial> ends =
      values.get(loop.getUpperBoundMap(), loop.getUpperBoundOperands());
  if (begins.size() != 1 || ends.size() != 1)
    return std::nullopt;
  ItemLoop result{loop, {}};
  Polynomial begin = begins.front();
  if (!values.isParameter(begin)) {
    if (loop.getStepAsInt() != 1 || !provesNonNegative(loop, begin, values))
      return std::nullopt;
    result.beginsAtZero = true;
    begin = Polynomial(0);
  }
  result.length = greatest(ends.front() - begin);
  if (!result.length || hasPart(result.length, isQuotient))
    return std::nullopt;
  if (auto constant = dyn_cast<AffineConstantExpr>(result.length))
    if (constant.getValue() < kLeastWidth)
      return std::nullopt;
  return result;
}

std::variant<ItemPlan, Refusal> Finder::plan() {
  ItemPlan plan;
  if (std::optional<Refusal> refusal = findPlaces(plan))
    return *refusal;
  SmallVector<unsigned> free;
  for (unsigned dim = 0; dim < 3; ++dim)
    if (!plan.places[dim])
      free.push_back(dim);
  if (free.empty())
    return Refusal{loops.front().getLoc(), "the launch has three dimensions"};
  SmallVector<LoopLikeOpInterface> taken;
  for (affine::AffineForOp loop : ArrayRef(loops).take_front(free.size())) {
    taken.push_back(cast<LoopLikeOpInterface>(*loop));
    std::optional<ItemLoop> measured = measure(loop);
    std::optional<Refusal> refusal;
    if (!measured)
      refusal = Refusal{loop.getLoc(), "how many iterations there are is not "
                                       "known when the kernel is launched"};
    else
      refusal = checkIterationsIndependent(kernel, taken);
    if (refusal && plan.loops.empty())
      return *refusal;
    if (refusal)
      break;
    plan.loops.push_back(*measured);
  }
  // The innermost loop takes the first one.
  auto dimensions = ArrayRef(free).take_front(plan.loops.size());
  plan.dimensions.assign(dimensions.rbegin(), dimensions.rend());
  return plan;
}

//===----------------------------------------------------------------------===//
// The new kernel
//===----------------------------------------------------------------------===//

/// The work item's iteration, where there is one, in the loop's place.
static void replaceByGuard(const ItemLoop &item, unsigned dimension) {
  affine::AffineForOp loop = item.loop;
  Location loc = loop.getLoc();
  auto kernel = loop->getParentOfType<gpu::GPUFuncOp>();
  IRRewriter rewriter(loop->getContext());
  rewriter.setInsertionPointToStart(&kernel.getBody().front());
  Value iterator = gpu::GlobalIdOp::create(
      rewriter, loc, static_cast<gpu::Dimension>(dimension));
  rewriter.setInsertionPoint(loop);
  Value begin = affine::AffineApplyOp::create(
      rewriter, loc, loop.getLowerBoundMap(), loop.getLowerBoundOperands());
  Value end = affine::AffineApplyOp::create(
      rewriter, loc, loop.getUpperBoundMap(), loop.getUpperBoundOperands());
  Value isStarted;
  if (item.beginsAtZero)
    isStarted = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::sge,
                                      iterator, begin);
  else
    iterator = affine::AffineApplyOp::create(
        rewriter, loc,
        AffineMap::get(0, 2,
                       rewriter.getAffineSymbolExpr(0) +
                           rewriter.getAffineSymbolExpr(1) *
                               loop.getStepAsInt()),
        ValueRange{begin, iterator});
  Value inside = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::slt,
                                       iterator, end);
  if (isStarted)
    inside = arith::AndIOp::create(rewriter, loc, isStarted, inside);
  auto guard = scf::IfOp::create(rewriter, loc, inside,
                                 /*withElseRegion=*/false);
  rewriter.eraseOp(loop.getBody()->getTerminator());
  rewriter.inlineBlockBefore(loop.getBody(), guard.thenYield(), iterator);
  rewriter.eraseOp(loop);
}

/// The new kernel's work items, and what the launch must be like.
static void describeLaunch(gpu::GPUFuncOp kernel, const ItemPlan &plan) {
  MLIRContext *context = kernel.getContext();
  unsigned numArguments = kernel.getNumArguments();
  bool hasOwnItems = kernel->hasAttr(kWorkItemsAttrName);
  SmallVector<AffineExpr> numbers(3, getAffineConstantExpr(1, context));
  SmallVector<AffineExpr> conditions(plan.nonNegative);
  for (unsigned dim = 0; dim < 3; ++dim) {
    AffineExpr launched = launchedItems(kernel, dim);
    if (plan.places[dim])
      numbers[*plan.places[dim]] = plan.extents[dim];
    if (hasOwnItems || isOne(plan.extents[dim]))
      continue;
    // More than one work item along what nothing reads would do the same.
    conditions.push_back(plan.places[dim] ? launched - plan.extents[dim]
                                          : -launched + 1);
  }
  AffineExpr ofEach = getAffineConstantExpr(1, context);
  for (auto [item, dimension] : llvm::zip_equal(plan.loops, plan.dimensions)) {
    numbers[dimension] = item.items();
    ofEach = ofEach * item.items();
    if (isa<AffineConstantExpr>(item.length))
      continue;
    bool fillsLanes = dimension == 0 && !plan.isSingle();
    conditions.push_back(item.length - (fillsLanes ? kLeastWidth : 1));
    conditions.push_back(-item.length + std::numeric_limits<int32_t>::max());
  }
  kernel->setAttr(kWorkItemsAttrName, AffineMapAttr::get(AffineMap::get(
                                          0, numArguments, numbers, context)));
  addLaunchConditions(kernel, numArguments, conditions);
  setItemsOfEach(kernel, numArguments, ofEach);
}

/// Gives the ids of the source their new dimensions.
static void moveIds(gpu::GPUFuncOp kernel, const ItemPlan &plan) {
  SmallVector<gpu::GlobalIdOp> ids;
  kernel.walk([&](gpu::GlobalIdOp id) { ids.push_back(id); });
  for (gpu::GlobalIdOp id : ids) {
    if (std::optional<unsigned> place =
            plan.places[static_cast<unsigned>(id.getDimension())]) {
      id.setDimension(static_cast<gpu::Dimension>(*place));
      continue;
    }
    OpBuilder builder(id);
    Value zero = arith::ConstantIndexOp::create(builder, id.getLoc(), 0);
    id.replaceAllUsesWith(zero);
    id.erase();
  }
}

static void distributeLoops(gpu::GPUFuncOp kernel, const ItemPlan &plan) {
  describeLaunch(kernel, plan);
  moveIds(kernel, plan);
  for (auto [item, dimension] : llvm::zip_equal(plan.loops, plan.dimensions))
    replaceByGuard(item, dimension);
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

/// Accesses that are not coalesced with the best of the dimensions as x, which
/// `fastest` becomes: not another one that is no better.
static unsigned countUncoalesced(gpu::GPUFuncOp kernel, TargetAttr target,
                                 unsigned &fastest) {
  std::array<bool, 3> used = {};
  kernel.walk([&](gpu::GlobalIdOp id) {
    used[static_cast<unsigned>(id.getDimension())] = true;
  });
  std::vector<AccessStrides> strides =
      collectStrides(AccessFunctions(kernel), target, used);
  fastest = solveThreadOrder(strides, used);
  unsigned least = countUncoalesced(strides, fastest);
  if (least == countUncoalesced(strides, 0))
    fastest = 0;
  return least;
}

/// The dimension that shall be x once `plan` has been carried out; nothing
/// where no more accesses are coalesced then.
static std::optional<unsigned>
tryPlan(gpu::GPUFuncOp kernel, const ItemPlan &plan, TargetAttr target) {
  unsigned fastest = 0;
  unsigned before = countUncoalesced(kernel, target, fastest);
  gpu::GPUFuncOp trial = kernel.clone();
  SymbolTable(kernel->getParentOp()).insert(trial);
  Finder finder(trial);
  finder.hasCandidates();
  std::variant<ItemPlan, Refusal> again = finder.plan();
  bool isBetter = false;
  if (auto *same = std::get_if<ItemPlan>(&again)) {
    distributeLoops(trial, *same);
    isBetter =
        countUncoalesced(trial, target, fastest) < before || plan.isSingle();
  }
  trial.erase();
  return isBetter ? std::optional(fastest) : std::nullopt;
}

namespace {
struct DistributeLoops
    : public gpuopt::impl::DistributeLoopsBase<DistributeLoops> {
  using DistributeLoopsBase::DistributeLoopsBase;

  void runOnOperation() override {
    for (gpu::GPUFuncOp kernel : collectKernels(getOperation())) {
      if (!kernel.getBody().hasOneBlock() || geometryOf(kernel) ||
          kernel->hasAttr(kPhaseOfAttrName))
        continue;
      FailureOr<TargetAttr> description = resolveTarget(kernel, target);
      if (failed(description))
        return signalPassFailure();
      // What keeps it from any other launch, the pass that chooses one says.
      Finder finder(kernel);
      if (!finder.hasCandidates() || findLaunchObstacle(kernel, {}, {}))
        continue;
      std::variant<ItemPlan, Refusal> found = finder.plan();
      if (auto *refusal = std::get_if<Refusal>(&found))
        sayMissed(RemarkCode::LoopsKept, kernel, *refusal);
      else if (failed(
                   distribute(kernel, std::get<ItemPlan>(found), *description)))
        return signalPassFailure();
    }
  }

private:
  LogicalResult distribute(gpu::GPUFuncOp kernel, ItemPlan &plan,
                           TargetAttr description);
};
} // namespace

LogicalResult DistributeLoops::distribute(gpu::GPUFuncOp kernel, ItemPlan &plan,
                                          TargetAttr description) {
  std::optional<unsigned> fastest = tryPlan(kernel, plan, description);
  if (!fastest) {
    sayMissed(RemarkCode::LoopsKept, kernel,
              Refusal{plan.loops.front().loop.getLoc(),
                      "no more accesses would be coalesced"});
    return success();
  }
  plan.swapWithX(*fastest);
  std::string dimensions;
  for (unsigned dimension : plan.dimensions)
    dimensions +=
        (dimensions.empty() ? "" : ", ") +
        gpu::stringifyDimension(static_cast<gpu::Dimension>(dimension)).str();
  sayPassed(
      RemarkCode::LoopsDistributed, kernel, plan.loops.front().loop.getLoc(),
      {{"loops", int64_t(plan.loops.size())}, {"dimensions", dimensions}});
  keepOriginal(kernel);
  numDistributed += plan.loops.size();
  distributeLoops(kernel, plan);
  // Bounds of guards and what was computed of iterators are affine in ids now.
  OpPassManager again(gpu::GPUFuncOp::getOperationName());
  buildRaiseIndicesPipeline(again);
  return runPipeline(again, kernel);
}
