//===- PadTiles.cpp - full tiles, to the last one -------------------------===//
//
// The last tile of a row is rarely full, and the loop over it ends where the
// row does. With elements behind the row's end that add nothing to what is
// summed up, it may run to the end of the tile instead: every tile is like the
// others, its loop has a constant length, and what remains to be decided where
// the row ends is the fill alone.
//
// Nothing is added exactly, whatever the sum is: x + -0.0 = x, also for -0.0,
// and -0.0 is the product of -0.0 and 0.0. So of two tiles whose elements are
// multiplied with each other one ends in 0.0, the other in -0.0.
//
//===----------------------------------------------------------------------===//

#include "passes/Analysis/CollectiveLoops.h"
#include "passes/Analysis/Conditions.h"
#include "passes/Analysis/IndexBounds.h"
#include "passes/Analysis/Speculation.h"
#include "passes/Transforms/Passes.h"
#include "passes/Transforms/Utils/Kernels.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"

namespace gpuopt {
#define GEN_PASS_DEF_PADTILES
#include "passes/Transforms/Passes.h.inc"
} // namespace gpuopt

using namespace mlir;
using namespace gpuopt;

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

namespace {
/// Which zeros the elements of tiles have to be for terms to add nothing.
class Zeros {
public:
  /// Whether `sum` is `carried`, plus and minus terms that add nothing if tiles
  /// hold the right zeros, which are noted.
  bool addTerms(Value sum, Value carried);

  /// For each tile whether its zero is -0.0; nothing where the terms disagree.
  std::optional<llvm::MapVector<Value, bool>> solve() const;

private:
  /// A term that has to be -0.0, or 0.0.
  bool addTerm(Value term, bool isNegative);
  bool addProduct(Value left, Value right, bool isNegative);

  /// Of the product of elements of both tiles, whether it has to be -0.0; the
  /// second tile is null where elements of the first are terms themselves.
  struct Demand {
    Value first, second;
    bool isNegative;
  };
  SmallVector<Demand> demands;
};
} // namespace

/// The tile that `factor` was loaded from, maybe to be made wider; null for
/// other values.
static Value tileOf(Value factor) {
  Operation *op = factor.getDefiningOp();
  if (isa_and_nonnull<arith::ExtFOp, arith::ExtSIOp, arith::ExtUIOp>(op))
    op = op->getOperand(0).getDefiningOp();
  auto load = dyn_cast_or_null<affine::AffineLoadOp>(op);
  bool isOfTile = load && gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(
                              load.getMemRefType());
  return isOfTile ? load.getMemRef() : Value();
}

bool Zeros::addProduct(Value left, Value right, bool isNegative) {
  Value first = tileOf(left), second = tileOf(right);
  if (!first || !second || !left.getType().isIntOrIndexOrFloat())
    return false;
  // An integer zero has no sign.
  if (isa<FloatType>(left.getType()))
    demands.push_back({first, second, isNegative});
  return true;
}

bool Zeros::addTerm(Value term, bool isNegative) {
  Operation *product = term.getDefiningOp();
  if (isa_and_nonnull<arith::MulFOp, arith::MulIOp>(product))
    return addProduct(product->getOperand(0), product->getOperand(1),
                      isNegative);
  Value tile = tileOf(term);
  if (!tile || !term.getType().isIntOrIndexOrFloat())
    return false;
  if (isa<FloatType>(term.getType()))
    demands.push_back({tile, Value(), isNegative});
  return true;
}

bool Zeros::addTerms(Value sum, Value carried) {
  if (sum == carried)
    return true;
  Operation *op = sum.getDefiningOp();
  if (auto fused = dyn_cast_or_null<math::FmaOp>(op))
    return addProduct(fused.getA(), fused.getB(), /*isNegative=*/true) &&
           addTerms(fused.getC(), carried);
  if (!isa_and_nonnull<arith::AddFOp, arith::SubFOp, arith::AddIOp,
                       arith::SubIOp>(op))
    return false;
  // x - 0.0 = x for every x.
  if (isa<arith::SubFOp, arith::SubIOp>(op))
    return addTerm(op->getOperand(1), /*isNegative=*/false) &&
           addTerms(op->getOperand(0), carried);
  for (unsigned term : {1, 0})
    if (addTerm(op->getOperand(term), /*isNegative=*/true))
      return addTerms(op->getOperand(1 - term), carried);
  return false;
}

std::optional<llvm::MapVector<Value, bool>> Zeros::solve() const {
  llvm::MapVector<Value, bool> zeros;
  for (const Demand &demand : demands)
    if (!demand.second)
      zeros.insert({demand.first, demand.isNegative});
  // What is known of one factor says what the other is; else the first may be
  // either.
  for (size_t known = ~size_t(0); known != zeros.size();) {
    known = zeros.size();
    for (const Demand &demand : demands) {
      bool knowsFirst = zeros.contains(demand.first);
      if (!demand.second || knowsFirst == zeros.contains(demand.second))
        continue;
      auto [from, to] = std::pair(demand.first, demand.second);
      if (!knowsFirst)
        std::swap(from, to);
      bool zero = zeros.lookup(from) != demand.isNegative;
      zeros.insert({to, zero});
    }
    const Demand *open = llvm::find_if(demands, [&](const Demand &demand) {
      return !zeros.contains(demand.first);
    });
    if (known == zeros.size() && open != demands.end())
      zeros.insert({open->first, open->isNegative});
  }
  bool agree = llvm::all_of(demands, [&](const Demand &demand) {
    bool second = demand.second && zeros.lookup(demand.second);
    return (zeros.lookup(demand.first) != second) == demand.isNegative;
  });
  return agree ? std::optional(zeros) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// What is to be padded
//===----------------------------------------------------------------------===//

namespace {
/// The loop that fills a tile: all of it, and each element under one guard.
struct Fill {
  affine::AffineParallelOp loop;
  scf::IfOp guard;
  affine::AffineStoreOp store;
  /// What the elements behind the end become.
  bool isNegative;
};

/// What to do about one loop over tiles.
struct Plan {
  /// The iterations of a full tile.
  int64_t trips = 0;
  SmallVector<Fill> fills;
};

/// Finds out what to do about a loop over a tile, or why there is nothing.
class PaddingPlanner {
public:
  PaddingPlanner(affine::AffineForOp loop, IndexBounds &bounds)
      : loop(loop), bounds(bounds) {}

  /// Whether the loop ends with the row where that is in the tile.
  bool endsInTile();
  std::optional<Refusal> run();

  Plan plan;

private:
  std::optional<Refusal> checkBody();
  bool isWorthPadding();
  std::optional<Refusal> checkLoad(affine::AffineLoadOp load);
  std::optional<Refusal> findZeros();
  std::optional<Refusal> checkUsers(Value tile, affine::AffineStoreOp &store);
  std::optional<Refusal> checkFill(Value tile, unsigned dimension,
                                   bool isNegative);
  std::optional<Refusal> checkGuard(scf::IfOp guard, Value index);

  affine::AffineForOp loop;
  IndexBounds &bounds;
  /// How many iterations are left of the row.
  Polynomial left = Polynomial::unknown();
  /// The dimension of each tile that the loop runs over.
  llvm::MapVector<Value, unsigned> dimensions;
};
} // namespace

static Refusal refuse(Operation *op, std::string reason) {
  return {op->getLoc(), std::move(reason)};
}

bool PaddingPlanner::endsInTile() {
  if (!loop.hasConstantLowerBound() || loop.getConstantLowerBound() != 0 ||
      loop.getStepAsInt() != 1)
    return false;
  SmallVector<Polynomial> ends =
      bounds.formsOf(loop.getUpperBoundMap(), loop.getUpperBoundOperands());
  if (ends.size() != 2)
    return false;
  if (ends[1].isConstant())
    std::swap(ends[0], ends[1]);
  std::optional<int64_t> constant = ends[0].getConstant();
  plan.trips = constant.value_or(0);
  left = ends[1];
  return plan.trips > 0;
}

/// A tile's element has to be one that the loop's last iteration may read.
std::optional<Refusal> PaddingPlanner::checkLoad(affine::AffineLoadOp load) {
  MemRefType type = load.getMemRefType();
  if (!gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(type) ||
      !type.hasStaticShape())
    return refuse(load, "the loop over the tile loads more than tiles");
  AffineMap map = load.getAffineMap();
  ValueRange operands = load.getMapOperands();
  std::optional<unsigned> dimension;
  for (auto [number, subscript] : llvm::enumerate(map.getResults())) {
    auto variable = dyn_cast<AffineDimExpr>(subscript);
    bool isIterator =
        variable && operands[variable.getPosition()] == loop.getInductionVar();
    bool depends = false;
    for (auto [position, operand] : llvm::enumerate(operands))
      if (operand == loop.getInductionVar())
        depends |=
            position < map.getNumDims()
                ? subscript.isFunctionOfDim(position)
                : subscript.isFunctionOfSymbol(position - map.getNumDims());
    if (depends && (!isIterator || dimension))
      return refuse(load, "the loop does not run along one side of the tile");
    if (isIterator)
      dimension = number;
  }
  if (!dimension || type.getDimSize(*dimension) < plan.trips)
    return refuse(load, "the loop does not run along one side of the tile");
  auto [known, isNew] = dimensions.insert({load.getMemRef(), *dimension});
  if (!isNew && known->second != *dimension)
    return refuse(load, "the loop runs along several sides of the tile");
  return std::nullopt;
}

std::optional<Refusal> PaddingPlanner::checkBody() {
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (auto load = dyn_cast<affine::AffineLoadOp>(op)) {
      if (std::optional<Refusal> refusal = checkLoad(load))
        return refusal;
    } else if (op.getNumRegions() != 0 || !isTotal(&op)) {
      return refuse(&op, "the loop over the tile does more than sum up");
    }
  }
  return std::nullopt;
}

/// Whether `value`, which `fill` computes for an element, is the same each time
/// that the fill runs.
static bool isFixed(Value value, affine::AffineParallelOp fill) {
  Operation *around = value.getParentRegion()->getParentOp();
  if (!isa<LoopLikeOpInterface>(around) &&
      !around->getParentOfType<LoopLikeOpInterface>())
    return true;
  if (auto iterator = dyn_cast<BlockArgument>(value))
    return iterator.getOwner() == fill.getBody();
  Operation *op = value.getDefiningOp();
  return op->getNumRegions() == 0 && isPure(op) &&
         llvm::all_of(op->getOperands(),
                      [&](Value operand) { return isFixed(operand, fill); });
}

/// Checks that `guard` is false for the elements with an `index` behind the
/// end, and for others never or always: those still hold what an earlier fill
/// left.
std::optional<Refusal> PaddingPlanner::checkGuard(scf::IfOp guard,
                                                  Value index) {
  auto fill = cast<affine::AffineParallelOp>(guard->getParentOp());
  Conjunction conjunction;
  takeApart({guard.getCondition(), false}, conjunction);
  Polynomial margin = left - bounds.formOf(index) - 1;
  bool endsWithLoop = false;
  for (const Conjunct &conjunct : conjunction.conjuncts) {
    auto known =
        bounds.marginOf(conjunct.predicate, conjunct.left, conjunct.right);
    // An unsigned comparison holds for ends below zero too.
    bool isSigned = conjunct.predicate < arith::CmpIPredicate::ult;
    if (isSigned && known && (margin - *known).getConstant() == 0)
      endsWithLoop = true;
    else
      conjunction.others.push_back(conjunct.comparison);
  }
  if (!endsWithLoop)
    return refuse(guard, "the fill's guard does not end where the loop does");
  for (const Condition &other : conjunction.others)
    if (!isFixed(other.value, fill))
      return refuse(guard, "iterations fill different parts of the tile");
  return std::nullopt;
}

/// Whether `first` is done in the block that `second` stands in, before it.
static bool isBefore(Operation *first, Operation *second) {
  Operation *around = first->getBlock()->findAncestorOpInBlock(*second);
  return around && first->isBeforeInBlock(around);
}

/// Finds the only store to `tile`, which nothing but the loop reads.
std::optional<Refusal>
PaddingPlanner::checkUsers(Value tile, affine::AffineStoreOp &store) {
  // Other values may be the same array.
  if (!isa<BlockArgument>(tile))
    return refuse(loop, "the tile is no array of the kernel");
  for (Operation *user : tile.getUsers()) {
    if (isa<affine::AffineLoadOp>(user)) {
      if (!loop->isProperAncestor(user))
        return refuse(user, "the tile is read outside of the loop");
      continue;
    }
    if (store || !isa<affine::AffineStoreOp>(user))
      return refuse(user, "the tile is filled in several places");
    store = cast<affine::AffineStoreOp>(user);
  }
  return std::nullopt;
}

/// Finds the fill of `tile`, which stores every element or leaves it out by one
/// guard, and adds it to the plan.
std::optional<Refusal> PaddingPlanner::checkFill(Value tile, unsigned dimension,
                                                 bool isNegative) {
  affine::AffineStoreOp store;
  if (std::optional<Refusal> refusal = checkUsers(tile, store))
    return refusal;
  auto guard = store ? dyn_cast<scf::IfOp>(store->getParentOp()) : scf::IfOp();
  auto fill = guard ? dyn_cast<affine::AffineParallelOp>(guard->getParentOp())
                    : affine::AffineParallelOp();
  if (!fill || !isCollective(fill) || !guard.getElseRegion().empty() ||
      store->getNextNode() != guard.thenYield() || !isBefore(fill, loop) ||
      !llvm::hasSingleElement(fill.getBody()->getOps<scf::IfOp>()))
    return refuse(loop, "the tile is not filled under one guard");
  std::optional<SmallVector<int64_t>> extents = collectiveExtents(fill);
  AffineMap map = store.getAffineMap();
  ValueRange operands = store.getMapOperands();
  if (!extents || ArrayRef(*extents) != store.getMemRefType().getShape())
    return refuse(fill, "the fill leaves out a part of the tile");
  for (auto [number, subscript] : llvm::enumerate(map.getResults())) {
    auto variable = dyn_cast<AffineDimExpr>(subscript);
    if (!variable || operands[variable.getPosition()] != fill.getIVs()[number])
      return refuse(fill, "the fill leaves out a part of the tile");
  }
  plan.fills.push_back({fill, guard, store, isNegative});
  return checkGuard(guard, fill.getIVs()[dimension]);
}

/// Finds what the elements behind the end have to be.
std::optional<Refusal> PaddingPlanner::findZeros() {
  Zeros zeros;
  auto yield = cast<affine::AffineYieldOp>(loop.getBody()->getTerminator());
  for (auto [sum, carried] :
       llvm::zip_equal(yield.getOperands(), loop.getRegionIterArgs()))
    if (!zeros.addTerms(sum, carried))
      return refuse(sum.getDefiningOp() ? sum.getDefiningOp() : loop,
                    "no elements of the tiles are known that add nothing");
  auto solution = zeros.solve();
  if (!solution)
    return refuse(loop, "no zeros add nothing to all of the sums");
  for (auto [tile, dimension] : dimensions)
    if (std::optional<Refusal> refusal =
            checkFill(tile, dimension, solution->lookup(tile)))
      return refusal;
  return std::nullopt;
}

/// Whether the loop computes more than it loads. One that does not is no longer
/// than the fill, for which two versions stand beside the loop then.
bool PaddingPlanner::isWorthPadding() {
  int64_t products = 0, loads = 0;
  for (Operation &op : *loop.getBody()) {
    products += isa<arith::MulFOp, arith::MulIOp, math::FmaOp>(op);
    loads += isa<affine::AffineLoadOp>(op);
  }
  return products > loads;
}

std::optional<Refusal> PaddingPlanner::run() {
  if (std::optional<Refusal> refusal = checkBody())
    return refusal;
  if (!isWorthPadding())
    return refuse(loop, "the loop over the tile loads as much as it computes");
  return findZeros();
}

//===----------------------------------------------------------------------===//
// Rewrite
//===----------------------------------------------------------------------===//

/// Lets `fill` store a zero where its guard does not hold.
static void pad(const Fill &fill) {
  scf::IfOp guard = fill.guard;
  affine::AffineStoreOp store = fill.store;
  OpBuilder builder(guard);
  Location loc = guard.getLoc();
  Type type = store.getValueToStore().getType();
  auto choice = scf::IfOp::create(builder, loc, type, guard.getCondition(),
                                  /*withElseRegion=*/true);
  Block *block = choice.thenBlock();
  guard.thenYield().erase();
  block->getOperations().splice(block->end(),
                                guard.thenBlock()->getOperations());
  store->moveAfter(choice);
  OpBuilder inside = OpBuilder::atBlockEnd(block);
  scf::YieldOp::create(inside, loc, store.getValueToStore());
  inside.setInsertionPointToEnd(choice.elseBlock());
  TypedAttr zero = builder.getZeroAttr(type);
  if (auto real = dyn_cast<FloatType>(type))
    zero = FloatAttr::get(
        type, APFloat::getZero(real.getFloatSemantics(), fill.isNegative));
  scf::YieldOp::create(
      inside, loc, arith::ConstantOp::create(inside, loc, zero).getResult());
  store.setOperand(0, choice.getResult(0));
  guard.erase();
}

namespace {
struct PadTiles : public gpuopt::impl::PadTilesBase<PadTiles> {
  using PadTilesBase::PadTilesBase;

  void runOnOperation() override {
    for (gpu::GPUFuncOp kernel : collectKernels(getOperation())) {
      FailureOr<TargetAttr> machine = resolveTarget(kernel, target);
      if (failed(machine))
        return signalPassFailure();
      // Elsewhere the version without guards has a loop for the rest.
      if (geometryOf(kernel) && kernel.getBody().hasOneBlock() &&
          machine->getAsyncCopy())
        padTiles(kernel);
    }
  }

  void padTiles(gpu::GPUFuncOp kernel);
};
} // namespace

void PadTiles::padTiles(gpu::GPUFuncOp kernel) {
  ArrayRef<int64_t> block = geometryOf(kernel).getBlock();
  IndexBounds bounds(kernel, {block[0], block[1], block[2]});
  kernel.getBody().walk([&](affine::AffineForOp loop) {
    PaddingPlanner planner(loop, bounds);
    if (!planner.endsInTile())
      return;
    if (std::optional<Refusal> refusal = planner.run())
      return sayMissed(RemarkCode::TilesNotPadded, kernel, *refusal);
    const Plan &plan = planner.plan;
    sayPassed(RemarkCode::TilesPadded, kernel, loop.getLoc())
        << remark::metric("tiles", static_cast<int>(plan.fills.size()))
        << remark::metric("iterations", plan.trips);
    llvm::for_each(plan.fills, pad);
    padded += plan.fills.size();
    loop.setConstantUpperBound(plan.trips);
  });
}
