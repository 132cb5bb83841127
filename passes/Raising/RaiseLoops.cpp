//===- RaiseLoops.cpp - counted loops to affine.for -----------------------===//
//
// Works from the outside to the inside: the bounds of an inner loop may use
// the variable of an outer one, which has to be affine by then. Each loop's
// bounds are read anew, so a rewrite never works on stale values.
//
//===----------------------------------------------------------------------===//

#include "passes/Analysis/Conditions.h"
#include "passes/Analysis/LoopRange.h"
#include "passes/Analysis/Remarks.h"
#include "passes/Analysis/TimeBudget.h"
#include "passes/Raising/IndexBuilder.h"
#include "passes/Raising/Passes.h"

#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"

namespace gpuopt {
#define GEN_PASS_DEF_RAISELOOPS
#include "passes/Raising/Passes.h.inc"
} // namespace gpuopt

using namespace mlir;
using namespace gpuopt;

namespace {

/// What a loop becomes.
struct LoopPlan {
  /// The loop runs from the largest lower to the smallest upper bound.
  SmallVector<Polynomial> lower, upper;
  AffineForms lowerForms, upperForms;
  int64_t step = 1;
  /// What has to be added to the new loop's variable; null for nothing.
  Value offset;
  /// Why it is no affine.for; empty where it is.
  std::string reason;
};

class RaiseLoopsPass : public gpuopt::impl::RaiseLoopsBase<RaiseLoopsPass> {
public:
  using Base::Base;
  void runOnOperation() override;

private:
  void raiseLoop(gpu::GPUFuncOp kernel, scf::ForOp loop);
  void countFromZero(gpu::GPUFuncOp kernel, affine::AffineForOp loop);
};

} // namespace

//===----------------------------------------------------------------------===//
// Planning
//===----------------------------------------------------------------------===//

/// The bounds that `min` or `max` operations combine.
template <typename SignedOp, typename UnsignedOp>
static void splitBound(Value bound, bool isUnsigned, IntegerValues &values,
                       SmallVectorImpl<Polynomial> &bounds) {
  Operation *op = bound.getDefiningOp();
  if (op && (isUnsigned ? isa<UnsignedOp>(op) : isa<SignedOp>(op))) {
    for (Value operand : op->getOperands())
      splitBound<SignedOp, UnsignedOp>(operand, isUnsigned, values, bounds);
    return;
  }
  // A cast of a minimum is the minimum of the casts.
  if (op && isa<arith::ExtSIOp, arith::IndexCastOp>(op) && !isUnsigned) {
    Operation *inner = op->getOperand(0).getDefiningOp();
    if (inner && isa<SignedOp>(inner) &&
        getBits(inner->getResult(0).getType()) <= getBits(bound.getType())) {
      splitBound<SignedOp, UnsignedOp>(op->getOperand(0), false, values,
                                       bounds);
      return;
    }
  }
  bounds.push_back(values.getExact(bound, isUnsigned).value);
}

/// Whether a loop that begins at `begin` may be about to leave 64 bits, so that
/// transforms could not take several of its steps at once.
static bool mayBeginAtEnd(ArrayRef<Polynomial> begin, IntegerValues &values) {
  return llvm::any_of(begin, [&](const Polynomial &bound) {
    return !isFarFromEnds(values.getRange(bound));
  });
}

/// Whether work items, or iterations of loops around, begin at different
/// numbers but count as far. They do the same at the same time then, for which
/// passes look.
static bool differsInBegin(ArrayRef<Polynomial> lower,
                           ArrayRef<Polynomial> upper, IntegerValues &values) {
  return lower.size() == 1 && upper.size() == 1 &&
         !values.isParameter(lower.front()) &&
         values.isParameter(upper.front() - lower.front());
}

/// A row from idy*k to idy*k + k has k iterations: where the bounds of `plan`
/// are not affine, near the ends of 64 bits, or differ between work items, but
/// their difference is affine, the loop runs from 0 to that.
static void countFromZero(scf::ForOp loop, IntegerValues &values,
                          IndexBuilder &indices, LoopPlan &plan) {
  if (loop.getUnsignedCmp() || plan.lower.size() != 1 || plan.upper.size() != 1)
    return;
  Polynomial count = plan.upper.front() - plan.lower.front();
  AffineForms forms;
  if (count.isUnknown() || !values.getRange(count).isFinite() ||
      !indices.appendAffine(count, forms))
    return;
  AffineForms zero;
  indices.appendAffine(Polynomial(0), zero);
  OpBuilder builder(loop);
  plan.offset = indices.build(builder, loop.getLoc(), plan.lower.front(),
                              /*isExact=*/true);
  plan.lowerForms = zero;
  plan.upperForms = forms;
  plan.reason.clear();
}

static LoopPlan planLoop(scf::ForOp loop, IntegerValues &values,
                         IndexBuilder &indices) {
  LoopPlan plan;
  bool isUnsigned = loop.getUnsignedCmp();
  splitBound<arith::MaxSIOp, arith::MaxUIOp>(loop.getLowerBound(), isUnsigned,
                                             values, plan.lower);
  splitBound<arith::MinSIOp, arith::MinUIOp>(loop.getUpperBound(), isUnsigned,
                                             values, plan.upper);
  std::optional<int64_t> step = getConstantIntValue(loop.getStep());
  if (!step || *step < 1) {
    plan.reason = "its step is no positive constant";
    return plan;
  }
  plan.step = *step;
  if (isUnsigned && loop.getInductionVar().getType().isIndex())
    for (const Polynomial &bound :
         llvm::concat<Polynomial>(plan.lower, plan.upper))
      if (!values.getRange(bound).isFinite())
        plan.reason = "its bounds may exceed signed 64 bits";
  auto append = [&](ArrayRef<Polynomial> bounds, AffineForms &forms,
                    StringRef which) {
    for (const Polynomial &bound : bounds)
      if (plan.reason.empty() && !indices.appendAffine(bound, forms))
        plan.reason = (which + " bound " + values.str(bound) +
                       " is not affine: " + forms.reason)
                          .str();
  };
  append(plan.lower, plan.lowerForms, "its lower");
  append(plan.upper, plan.upperForms, "its upper");
  if (!plan.reason.empty() || mayBeginAtEnd(plan.lower, values) ||
      differsInBegin(plan.lower, plan.upper, values))
    countFromZero(loop, values, indices, plan);
  return plan;
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

/// Moves the body of `loop` into `block`, whose first argument is an index;
/// that and `offset`, if any, is the loop's variable.
static void moveBody(scf::ForOp loop, Block *block, Value offset = {}) {
  OpBuilder builder = OpBuilder::atBlockBegin(block);
  Value induction = block->getArgument(0);
  if (offset)
    induction = arith::AddIOp::create(builder, loop.getLoc(), offset, induction,
                                      arith::IntegerOverflowFlags::nsw);
  if (Type type = loop.getInductionVar().getType(); !type.isIndex())
    induction = loop.getUnsignedCmp() && getBits(type) < 64
                    ? arith::IndexCastUIOp::create(builder, loop.getLoc(), type,
                                                   induction)
                          .getResult()
                    : arith::IndexCastOp::create(builder, loop.getLoc(), type,
                                                 induction);
  for (auto [from, to] :
       llvm::zip(loop.getBody()->getArguments(), block->getArguments()))
    to.setLoc(from.getLoc());
  loop.getInductionVar().replaceAllUsesWith(induction);
  for (auto [from, to] :
       llvm::zip(loop.getRegionIterArgs(), block->getArguments().drop_front()))
    from.replaceAllUsesWith(to);
  block->getOperations().splice(block->end(), loop.getBody()->getOperations());
}

static void buildAffineLoop(scf::ForOp loop, const LoopPlan &plan,
                            IndexBuilder &indices) {
  OpBuilder builder(loop);
  auto [lowerMap, lowerOperands] = indices.getMap(plan.lowerForms);
  auto [upperMap, upperOperands] = indices.getMap(plan.upperForms);
  auto raised = affine::AffineForOp::create(
      builder, loop.getLoc(), lowerOperands, lowerMap, upperOperands, upperMap,
      plan.step, loop.getInitArgs(),
      [](OpBuilder &, Location, Value, ValueRange) {});
  Block *block = raised.getBody();
  if (!block->empty())
    block->back().erase();
  moveBody(loop, block, plan.offset);
  Operation *yield = block->getTerminator();
  builder.setInsertionPoint(yield);
  affine::AffineYieldOp::create(builder, yield->getLoc(), yield->getOperands());
  yield->erase();
  raised->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  loop.replaceAllUsesWith(raised.getResults());
  loop.erase();
}

/// Only the type of the induction variable changes.
static void buildIndexLoop(scf::ForOp loop, const LoopPlan &plan,
                           IntegerValues &values, IndexBuilder &indices) {
  bool isUnsigned = loop.getUnsignedCmp();
  OpBuilder builder(loop);
  auto build = [&](Value bound) {
    return indices.build(builder, loop.getLoc(),
                         values.getExact(bound, isUnsigned).value, !isUnsigned);
  };
  Value lower = build(loop.getLowerBound());
  Value upper = build(loop.getUpperBound());
  Value step = build(loop.getStep());
  // Indices of narrower unsigned numbers are not negative.
  bool staysUnsigned =
      isUnsigned && getBits(loop.getInductionVar().getType()) == 64;
  auto raised = scf::ForOp::create(
      builder, loop.getLoc(), lower, upper, step, loop.getInitArgs(),
      [](OpBuilder &, Location, Value, ValueRange) {}, staysUnsigned);
  if (!raised.getBody()->empty())
    raised.getBody()->back().erase();
  moveBody(loop, raised.getBody());
  raised->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  loop.replaceAllUsesWith(raised.getResults());
  loop.erase();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

void RaiseLoopsPass::raiseLoop(gpu::GPUFuncOp kernel, scf::ForOp loop) {
  IntegerValues values(kernel);
  IndexBuilder indices(kernel, values);
  LoopPlan plan = planLoop(loop, values, indices);
  Location loc = loop.getLoc();
  if (plan.reason.empty()) {
    buildAffineLoop(loop, plan, indices);
    ++numAffineLoops;
    sayPassed(RemarkCode::LoopAffine, kernel, loc);
    return;
  }
  if (!loop.getInductionVar().getType().isIndex())
    buildIndexLoop(loop, plan, values, indices);
  sayMissed(RemarkCode::LoopNotAffine, kernel, Refusal{loc, plan.reason});
}

/// The element that `access` takes of the array behind a view of it, as a
/// subscript of the array.
static Value flatSubscript(OpBuilder &builder, memref::ReinterpretCastOp view,
                           AffineMap map, ValueRange operands) {
  Location loc = view.getLoc();
  auto add = [&](Value sum, Value term) -> Value {
    return arith::AddIOp::create(builder, loc, sum, term);
  };
  Value sum = getValueOrCreateConstantIndexOp(builder, loc,
                                              view.getMixedOffsets().front());
  SmallVector<Value> subscripts =
      *affine::expandAffineMap(builder, loc, map, operands);
  for (auto [subscript, stride] : llvm::zip(subscripts, view.getMixedStrides()))
    sum = add(sum, arith::MulIOp::create(
                       builder, loc, subscript,
                       getValueOrCreateConstantIndexOp(builder, loc, stride)));
  return sum;
}

/// Accesses of flat arrays by rows that were found for another iterator access
/// them flat again: with this one the rows may be others.
static void flattenAccesses(Value iterator) {
  for (Operation *op : llvm::to_vector(iterator.getUsers())) {
    OpBuilder builder(op);
    auto load = dyn_cast<affine::AffineLoadOp>(op);
    auto store = dyn_cast<affine::AffineStoreOp>(op);
    if (!load && !store)
      continue;
    Value memref = load ? load.getMemRef() : store.getMemRef();
    auto view = memref.getDefiningOp<memref::ReinterpretCastOp>();
    auto type =
        view ? dyn_cast<MemRefType>(view.getSource().getType()) : MemRefType();
    if (!type || type.getRank() != 1 || !type.getLayout().isIdentity())
      continue;
    if (load) {
      Value index = flatSubscript(builder, view, load.getAffineMap(),
                                  load.getMapOperands());
      load.replaceAllUsesWith(
          memref::LoadOp::create(builder, op->getLoc(), view.getSource(), index)
              .getResult());
    } else {
      Value index = flatSubscript(builder, view, store.getAffineMap(),
                                  store.getMapOperands());
      memref::StoreOp::create(builder, op->getLoc(), store.getValueToStore(),
                              view.getSource(), index);
    }
    op->erase();
  }
}

/// What is known of the block by now may tell how far a loop counts.
void RaiseLoopsPass::countFromZero(gpu::GPUFuncOp kernel,
                                   affine::AffineForOp loop) {
  IntegerValues values(kernel);
  SmallVector<Polynomial> lower =
      values.get(loop.getLowerBoundMap(), loop.getLowerBoundOperands());
  SmallVector<Polynomial> upper =
      values.get(loop.getUpperBoundMap(), loop.getUpperBoundOperands());
  IndexBuilder indices(kernel, values);
  AffineForms forms;
  if (!differsInBegin(lower, upper, values) ||
      !indices.appendAffine(upper.front() - lower.front(), forms))
    return;
  OpBuilder builder(loop);
  Value begin = affine::AffineApplyOp::create(builder, loop.getLoc(),
                                              loop.getLowerBoundMap(),
                                              loop.getLowerBoundOperands());
  auto [map, operands] = indices.getMap(forms);
  loop.setUpperBound(operands, map);
  loop.setConstantLowerBound(0);
  builder.setInsertionPointToStart(loop.getBody());
  AffineExpr iterator, first;
  bindDims(&getContext(), iterator, first);
  Value induction = loop.getInductionVar();
  auto shifted = affine::AffineApplyOp::create(
      builder, loop.getLoc(), AffineMap::get(2, 0, iterator + first),
      ValueRange{induction, begin});
  induction.replaceAllUsesExcept(shifted, shifted);
  flattenAccesses(shifted);
}

void RaiseLoopsPass::runOnOperation() {
  gpu::GPUFuncOp kernel = getOperation();
  // Outer loops come before the loops in them.
  SmallVector<scf::ForOp> pending;
  auto collect = [&](Operation *root) {
    root->walk<WalkOrder::PreOrder>(
        [&](scf::ForOp loop) { pending.push_back(loop); });
  };
  collect(kernel);
  for (scf::ForOp loop : pending) {
    if (!hasTime(&getContext()))
      return;
    raiseLoop(kernel, loop);
  }
  kernel.walk<WalkOrder::PreOrder>(
      [&](affine::AffineForOp loop) { countFromZero(kernel, loop); });
  kernel.walk([&](scf::WhileOp loop) {
    if (isInFallbackVersion(loop))
      return;
    sayMissed(RemarkCode::LoopEndless, kernel, loop.getLoc());
  });
  eraseDeadOperations(kernel);
}
