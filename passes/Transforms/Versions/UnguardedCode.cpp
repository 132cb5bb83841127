//===- UnguardedCode.cpp - code in which guards are known to hold ---------===//

#include "passes/Transforms/Versions/UnguardedCode.h"

#include "dialects/GPUOpt/AttributeNames.h"
#include "passes/Analysis/CollectiveLoops.h"
#include "passes/Transforms/Utils/Kernels.h"
#include "passes/Transforms/Utils/Poison.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace gpuopt;

Setup gpuopt::findSetup(gpu::GPUFuncOp kernel) {
  Setup setup;
  Block &body = kernel.getBody().front();
  for (Operation &op : body.without_terminator())
    if (op.getNumRegions() == 0 && isPure(&op) &&
        llvm::all_of(op.getOperands(), [&](Value operand) {
          return !operand.getDefiningOp() ||
                 setup.contains(operand.getDefiningOp());
        }))
      setup.insert(&op);
  return setup;
}

//===----------------------------------------------------------------------===//
// Tests
//===----------------------------------------------------------------------===//

/// Sums of a few values in here fit an index.
static constexpr Interval narrow{-(int64_t(1) << 48), int64_t(1) << 48};

/// The variables of `margin` that may have any value.
static SmallVector<unsigned> wideVariables(const Polynomial &margin,
                                           IndexBounds &bounds) {
  SmallVector<unsigned> wide = margin.getVariables();
  llvm::erase_if(wide, [&](unsigned variable) {
    return bounds.getRange(variable).isWithin(narrow);
  });
  return wide;
}

bool gpuopt::isTestable(const Polynomial &margin, IndexBounds &bounds) {
  if (!margin.isLinear())
    return false;
  SmallVector<unsigned> wide = wideVariables(margin, bounds);
  Interval rest{margin.getConstantTerm(), margin.getConstantTerm()};
  for (unsigned variable : margin.getVariables()) {
    int64_t factor = margin.getCoefficient({variable});
    if (!llvm::is_contained(wide, variable))
      rest = rest + bounds.getRange(variable) * Interval{factor, factor};
  }
  return rest.isFinite() &&
         (wide.empty() || (wide.size() == 1 && std::abs(margin.getCoefficient(
                                                   {wide.front()})) == 1));
}

/// Emits the test whether `margin` is not negative. What may have any value
/// stands alone: its difference to the rest might overflow.
static Value emitTest(OpBuilder &builder, Location loc, IndexBounds &bounds,
                      const Polynomial &margin) {
  SmallVector<unsigned> wide = wideVariables(margin, bounds);
  Value alone = wide.empty() ? arith::ConstantIndexOp::create(builder, loc, 0)
                             : bounds.valueOf(wide.front());
  bool isUpper = !wide.empty() && margin.getCoefficient({wide.front()}) > 0;
  int64_t sign = isUpper ? -1 : 1;
  SmallVector<Value> operands;
  AffineExpr sum =
      builder.getAffineConstantExpr(sign * margin.getConstantTerm());
  for (unsigned variable : margin.getVariables()) {
    if (llvm::is_contained(wide, variable))
      continue;
    sum = sum + builder.getAffineDimExpr(operands.size()) *
                    (sign * margin.getCoefficient({variable}));
    operands.push_back(bounds.valueOf(variable));
  }
  Value rest = affine::AffineApplyOp::create(
      builder, loc, AffineMap::get(operands.size(), 0, sum), operands);
  return arith::CmpIOp::create(builder, loc,
                               isUpper ? arith::CmpIPredicate::sle
                                       : arith::CmpIPredicate::sge,
                               rest, alone);
}

/// Emits the test whether no margin is negative; null where there are none.
/// What is tested may have been of interest under a guard only.
static Value emitTest(OpBuilder &builder, Location loc, IndexBounds &bounds,
                      ArrayRef<Polynomial> margins) {
  Value all;
  for (const Polynomial &margin : margins) {
    Value test = emitTest(builder, loc, bounds, margin);
    dropPoisonFlagsBehind(test);
    all =
        all ? arith::AndIOp::create(builder, loc, all, test).getResult() : test;
  }
  return all;
}

/// Emits, in `loop`, whether a whole step of iterations is left.
static Value emitIsFull(OpBuilder &builder, affine::AffineForOp loop) {
  Location loc = loop.getLoc();
  AffineMap map = loop.getUpperBoundMap();
  SmallVector<Value> operands(loop.getUpperBoundOperands());
  operands.insert(operands.begin() + map.getNumDims(), loop.getInductionVar());
  AffineExpr iterator = builder.getAffineDimExpr(map.getNumDims());
  AffineExpr left = map.getResult(0) - iterator - loop.getStepAsInt();
  Value value = affine::AffineApplyOp::create(
      builder, loc,
      AffineMap::get(map.getNumDims() + 1, map.getNumSymbols(), left),
      operands);
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge, value,
                               arith::ConstantIndexOp::create(builder, loc, 0));
}

//===----------------------------------------------------------------------===//
// Guards
//===----------------------------------------------------------------------===//

namespace {
/// Makes what is known in a version visible to the passes that follow.
class GuardRemover {
public:
  GuardRemover(IndexBounds &bounds, ArrayRef<Polynomial> margins)
      : bounds(bounds), margins(margins) {}

  void run(Operation *root);

private:
  bool isNeverNegative(const Polynomial &form);
  AffineMap dropLargerResults(AffineMap map, ValueRange operands);

  IndexBounds &bounds;
  ArrayRef<Polynomial> margins;
};
} // namespace

bool GuardRemover::isNeverNegative(const Polynomial &form) {
  Polynomial least = bounds.minimum(form);
  if (std::optional<int64_t> constant = least.getConstant())
    return *constant >= 0;
  return llvm::any_of(margins, [&](const Polynomial &margin) {
    std::optional<int64_t> difference = (least - margin).getConstant();
    return difference && *difference >= 0;
  });
}

/// The results of a minimum without those that another one never exceeds.
AffineMap GuardRemover::dropLargerResults(AffineMap map, ValueRange operands) {
  SmallVector<Polynomial> forms = bounds.formsOf(map, operands);
  SmallVector<AffineExpr> kept(map.getResults());
  for (size_t i = 0; kept.size() > 1 && i < kept.size();) {
    bool isLarger = false;
    for (size_t j = 0; j < kept.size(); ++j)
      isLarger |= j != i && isNeverNegative(forms[i] - forms[j]);
    if (!isLarger) {
      ++i;
      continue;
    }
    kept.erase(kept.begin() + i);
    forms.erase(forms.begin() + i);
  }
  return AffineMap::get(map.getNumDims(), map.getNumSymbols(), kept,
                        map.getContext());
}

void GuardRemover::run(Operation *root) {
  root->walk([&](Operation *op) {
    if (auto loop = dyn_cast<affine::AffineForOp>(op)) {
      loop.setUpperBoundMap(dropLargerResults(loop.getUpperBoundMap(),
                                              loop.getUpperBoundOperands()));
      return;
    }
    if (auto minimum = dyn_cast<affine::AffineMinOp>(op)) {
      minimum.setMap(
          dropLargerResults(minimum.getAffineMap(), minimum.getOperands()));
      return;
    }
    auto compare = dyn_cast<arith::CmpIOp>(op);
    if (!compare)
      return;
    auto margin = bounds.marginOf(compare.getPredicate(), compare.getLhs(),
                                  compare.getRhs());
    if (!margin || !isNeverNegative(*margin))
      return;
    OpBuilder builder(compare);
    compare.replaceAllUsesWith(
        arith::ConstantIntOp::create(builder, compare.getLoc(), 1, 1)
            .getResult());
  });
}

/// Bounds for code that runs where no margin of a plan is negative.
static IndexBounds boundsFor(gpu::GPUFuncOp kernel) {
  ArrayRef<int64_t> block = geometryOf(kernel).getBlock();
  IndexBounds bounds(kernel, {block[0], block[1], block[2]});
  bounds.keepProducts(true);
  return bounds;
}

/// The margins of `plan`, with variables of `bounds`, with those of `known`.
static SmallVector<Polynomial> marginsFor(IndexBounds &known,
                                          const VersionPlan &plan,
                                          const IndexBounds &bounds) {
  SmallVector<Polynomial> margins;
  for (const Polynomial &margin : plan.margins) {
    Polynomial sum(margin.getConstantTerm());
    for (unsigned variable : margin.getVariables())
      sum += Polynomial(margin.getCoefficient({variable})) *
             known.formOf(bounds.valueOf(variable));
    margins.push_back(sum);
  }
  return margins;
}

//===----------------------------------------------------------------------===//
// Versions
//===----------------------------------------------------------------------===//

/// Puts `ops`, of one block, under `test`: as they are in the else branch, and
/// once more in the then branch. Without `hasRest` there is nothing to do in
/// the else branch.
static scf::IfOp createVersions(ArrayRef<Operation *> ops, Value test,
                                const Setup &setup, bool hasRest) {
  auto kernel = ops.front()->getParentOfType<gpu::GPUFuncOp>();
  OpBuilder builder(ops.back());
  builder.setInsertionPointAfter(ops.back());
  if (!test.getDefiningOp()->isBeforeInBlock(ops.front()))
    builder.setInsertionPointAfterValue(test);
  auto versions = scf::IfOp::create(builder, kernel.getLoc(), test, hasRest);
  if (hasRest)
    versions->setAttr(kUnguardedAttrName, builder.getUnitAttr());
  // Guards are computed where they can be replaced for one version only; those
  // of what follows come later.
  IRMapping map;
  Block &top = kernel.getBody().front();
  Operation *around = top.findAncestorOpInBlock(*versions);
  builder.setInsertionPoint(versions.thenYield());
  for (Operation &op : top.without_terminator())
    if (setup.contains(&op) && op.isBeforeInBlock(around) &&
        op.getNumResults() == 1 && op.getResult(0).getType().isInteger(1))
      builder.clone(op, map);
  for (Operation *op : ops)
    builder.clone(*op, map);
  for (Operation *op : llvm::reverse(ops))
    if (hasRest)
      op->moveBefore(&versions.elseBlock()->front());
    else
      op->erase();
  return versions;
}

/// Splits `loop` into full tiles, which stay in it, and a rest behind it.
static void splitTiles(affine::AffineForOp loop) {
  OpBuilder builder(loop);
  builder.setInsertionPointAfter(loop);
  auto rest = cast<affine::AffineForOp>(builder.clone(*loop));
  loop->replaceAllUsesWith(rest->getResults());
  rest.getInitsMutable().assign(loop->getResults());

  AffineMap map = loop.getUpperBoundMap();
  int64_t step = loop.getStepAsInt(), first = loop.getConstantLowerBound();
  AffineExpr end = (map.getResult(0) - first).floorDiv(step) * step + first;
  SmallVector<Value> operands(loop.getUpperBoundOperands());
  loop.setUpperBound(
      operands, AffineMap::get(map.getNumDims(), map.getNumSymbols(), end));
  rest.setLowerBound(operands,
                     AffineMap::get(map.getNumDims(), map.getNumSymbols(),
                                    {builder.getAffineConstantExpr(first), end},
                                    builder.getContext()));
}

/// The operations at the top of `kernel` behind `setup`.
static SmallVector<Operation *> findWork(gpu::GPUFuncOp kernel,
                                         const Setup &setup) {
  SmallVector<Operation *> work;
  for (Operation &op : kernel.getBody().front().without_terminator())
    if (!setup.contains(&op))
      work.push_back(&op);
  return work;
}

void gpuopt::versionKernel(gpu::GPUFuncOp kernel, const VersionPlan &plan,
                           IndexBounds &bounds, const Setup &setup) {
  // Marks tell the loops apart in the copy.
  Builder attributes(kernel.getContext());
  StringAttr mark = attributes.getStringAttr(kTileLoopAttrName);
  for (Operation *loop : plan.tileLoops)
    loop->setAttr(mark, attributes.getUnitAttr());
  Operation *fast = kernel;
  if (!plan.margins.empty()) {
    SmallVector<Operation *> work = findWork(kernel, setup);
    OpBuilder builder(kernel.getBody().front().getTerminator());
    Value test = emitTest(builder, kernel.getLoc(), bounds, plan.margins);
    fast = createVersions(work, test, setup, plan.hasRest);
  }
  IndexBounds known = boundsFor(kernel);
  known.keepThreads(plan.isForEachThread);
  Region &region = fast->getRegion(0);
  SmallVector<affine::AffineForOp> loops;
  region.walk<WalkOrder::PreOrder>([&](affine::AffineForOp loop) {
    if (loop->hasAttr(mark))
      loops.push_back(loop);
  });
  // Outer loops first, so that the rest of one holds inner ones as they were.
  for (affine::AffineForOp loop : loops)
    known.assumeFullTiles(loop);
  llvm::for_each(loops, splitTiles);
  SmallVector<Polynomial> margins = marginsFor(known, plan, bounds);
  GuardRemover remover(known, margins);
  for (Operation &op : region.front())
    remover.run(&op);
  kernel.walk([&](Operation *op) { op->removeAttr(mark); });
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

namespace {
/// What is guarded in a kernel whose computation is not.
struct Parts {
  /// The only loop over tiles, and how it fills them.
  affine::AffineForOp loop;
  SmallVector<Operation *> fill;
  /// What follows the loop.
  SmallVector<Operation *> end;
};
} // namespace

/// Whether nothing in or at `op` depends on a comparison.
static bool isUnguarded(Operation *op) {
  return !op->walk([](Operation *inner) {
              auto loop = dyn_cast<affine::AffineForOp>(inner);
              bool isGuarded =
                  isa<arith::CmpIOp, affine::AffineMinOp, scf::IfOp>(inner) ||
                  (loop && loop.getUpperBoundMap().getNumResults() > 1);
              return isGuarded ? WalkResult::interrupt()
                               : WalkResult::advance();
            }).wasInterrupted();
}

/// Whether all of a tile is stored, zeros where a guard does not hold, and one
/// element is what an asynchronous copy can take: the guarded fill then waits
/// for its loads no more than the other one.
static bool isPadded(Operation *fill) {
  return llvm::any_of(
      fill->getRegion(0).getOps<scf::IfOp>(), [](scf::IfOp choice) {
        if (choice.getNumResults() != 1)
          return false;
        Type type = choice.getResult(0).getType();
        return type.isIntOrFloat() && (type.getIntOrFloatBitWidth() == 32 ||
                                       type.getIntOrFloatBitWidth() == 64);
      });
}

/// Takes `loop` apart; false where more than its fill is guarded, or the tiles
/// of different iterations are of different sizes.
static bool findFill(affine::AffineForOp loop,
                     SmallVectorImpl<Operation *> &fill) {
  Block *body = loop.getBody();
  auto barriers = body->getOps<gpu::BarrierOp>();
  if (barriers.empty())
    return false;
  Operation *filled = *barriers.begin();
  for (Operation &op : body->without_terminator()) {
    bool isOfFill = op.isBeforeInBlock(filled);
    if (isOfFill && isCollective(&op))
      fill.push_back(&op);
    else if (isOfFill ? op.getNumRegions() != 0 || !isPure(&op)
                      : !isUnguarded(&op))
      return false;
  }
  return llvm::all_of(fill, isPadded);
}

static std::optional<Parts>
findParts(gpu::GPUFuncOp kernel, const VersionPlan &plan, const Setup &setup) {
  Parts parts;
  for (Operation *op : findWork(kernel, setup)) {
    if (parts.loop)
      parts.end.push_back(op);
    else if (auto loop = dyn_cast<affine::AffineForOp>(op))
      parts.loop = loop;
    else
      return std::nullopt;
  }
  bool isOnlyLoop = parts.loop && plan.tileLoops.size() == 1 &&
                    plan.tileLoops.contains(parts.loop);
  if (!plan.hasRest || !isOnlyLoop || parts.end.empty() ||
      !findFill(parts.loop, parts.fill))
    return std::nullopt;
  return parts;
}

bool gpuopt::versionParts(gpu::GPUFuncOp kernel, const VersionPlan &plan,
                          IndexBounds &bounds, const Setup &setup) {
  std::optional<Parts> parts = findParts(kernel, plan, setup);
  if (!parts)
    return false;
  OpBuilder builder(parts->loop);
  Location loc = kernel.getLoc();
  Value isInside = emitTest(builder, loc, bounds, plan.margins);
  // What is computed between the collective loops stays in front of them.
  for (Operation *op : llvm::drop_begin(parts->fill))
    for (Operation *other = op->getPrevNode();
         !llvm::is_contained(parts->fill, other); other = op->getPrevNode())
      other->moveBefore(parts->fill.front());
  builder.setInsertionPoint(parts->fill.front());
  Value test = emitIsFull(builder, parts->loop);
  if (isInside)
    test = arith::AndIOp::create(builder, loc, isInside, test);
  SmallVector<scf::IfOp> versions = {
      createVersions(parts->fill, test, setup, /*hasRest=*/true)};
  if (isInside)
    versions.push_back(
        createVersions(parts->end, isInside, setup, /*hasRest=*/true));
  IndexBounds known = boundsFor(kernel);
  known.assumeFullTiles(parts->loop);
  SmallVector<Polynomial> margins = marginsFor(known, plan, bounds);
  GuardRemover remover(known, margins);
  for (scf::IfOp version : versions)
    for (Operation &op : *version.thenBlock())
      remover.run(&op);
  return true;
}
