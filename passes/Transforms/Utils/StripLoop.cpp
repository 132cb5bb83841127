//===- StripLoop.cpp - loops whose iterations are taken in strips ---------===//

#include "passes/Transforms/Utils/StripLoop.h"

#include "passes/Transforms/Utils/BlockSlice.h"
#include "passes/Transforms/Utils/Poison.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace gpuopt;

/// `left` and `right`, either of which may be null.
Value gpuopt::conjoin(OpBuilder &builder, Location loc, Value left,
                      Value right) {
  if (!left || !right)
    return left ? left : right;
  return createConjunction(builder, loc, left, right);
}

Value gpuopt::lessThan(OpBuilder &builder, Location loc, Value left,
                       Value right) {
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, left,
                               right);
}

int64_t StripLoop::step() {
  if (auto affineLoop = dyn_cast<affine::AffineForOp>(*loop))
    return affineLoop.getStepAsInt();
  return *getConstantIntValue(cast<scf::ForOp>(*loop).getStep());
}

std::optional<int64_t> gpuopt::constantTripCount(Operation *loop) {
  if (auto affineLoop = dyn_cast<affine::AffineForOp>(loop)) {
    if (!affineLoop.hasConstantBounds())
      return std::nullopt;
    return std::max<int64_t>(
        0, llvm::divideCeilSigned(affineLoop.getConstantUpperBound() -
                                      affineLoop.getConstantLowerBound(),
                                  affineLoop.getStepAsInt()));
  }
  std::optional<APInt> trips =
      cast<LoopLikeOpInterface>(loop).getStaticTripCount();
  if (!trips)
    return std::nullopt;
  return trips->getSExtValue();
}

bool StripLoop::isDivisible() {
  std::optional<int64_t> trips = constantTripCount(loop);
  return trips && *trips % iterations == 0;
}

void StripLoop::createOuter(OpBuilder &builder) {
  builder.setInsertionPoint(loop);
  if (auto affineLoop = dyn_cast<affine::AffineForOp>(*loop)) {
    outer = affine::AffineForOp::create(
        builder, getLoc(), affineLoop.getLowerBoundOperands(),
        affineLoop.getLowerBoundMap(), affineLoop.getUpperBoundOperands(),
        affineLoop.getUpperBoundMap(), step() * iterations,
        affineLoop.getInits());
  } else {
    auto counted = cast<scf::ForOp>(*loop);
    Value stride =
        arith::ConstantIndexOp::create(builder, getLoc(), step() * iterations);
    outer = scf::ForOp::create(builder, getLoc(), counted.getLowerBound(),
                               counted.getUpperBound(), stride,
                               counted.getInitArgs());
  }
  Block *body = &outer.getLoopRegions().front()->front();
  if (!body->empty())
    body->clear();
  builder.setInsertionPointToEnd(body);
}

Value StripLoop::iteratorAt(OpBuilder &builder, Value number) {
  AffineExpr begin = builder.getAffineDimExpr(0);
  AffineExpr index = builder.getAffineDimExpr(1);
  return createApply(builder, getLoc(),
                     AffineMap::get(2, 0, begin + index * step()),
                     {(*outer.getLoopInductionVars())[0], number});
}

Value StripLoop::addBounds(OpBuilder &builder, Value iterator,
                           Value conjunction) {
  if (isDivisible())
    return conjunction;
  if (auto counted = dyn_cast<scf::ForOp>(*loop))
    return conjoin(
        builder, getLoc(), conjunction,
        lessThan(builder, getLoc(), iterator, counted.getUpperBound()));
  auto affineLoop = cast<affine::AffineForOp>(*loop);
  AffineMap bounds = affineLoop.getUpperBoundMap();
  SmallVector<Value> operands(affineLoop.getUpperBoundOperands());
  for (unsigned number = 0; number < bounds.getNumResults(); ++number) {
    Value end =
        createApply(builder, getLoc(), bounds.getSubMap({number}), operands);
    conjunction = conjoin(builder, getLoc(), conjunction,
                          lessThan(builder, getLoc(), iterator, end));
  }
  return conjunction;
}

/// The least of the strip's length and what is left of the loop.
AffineMap StripLoop::stripBound(affine::AffineForOp original,
                                SmallVectorImpl<Value> &operands) {
  AffineMap bounds = original.getUpperBoundMap();
  MLIRContext *context = bounds.getContext();
  unsigned dims = bounds.getNumDims();
  operands.assign(original.getUpperBoundOperands().begin(),
                  original.getUpperBoundOperands().end());
  operands.insert(operands.begin() + dims, (*outer.getLoopInductionVars())[0]);
  AffineExpr begin = getAffineDimExpr(dims, context);
  SmallVector<AffineExpr> results = {
      getAffineConstantExpr(iterations, context)};
  for (AffineExpr bound : bounds.getResults())
    results.push_back((bound - begin).ceilDiv(step()));
  return AffineMap::get(dims + 1, bounds.getNumSymbols(), results, context);
}

SmallVector<Value> StripLoop::remaining(OpBuilder &builder) {
  SmallVector<Value> operands, counts;
  AffineMap bound = stripBound(cast<affine::AffineForOp>(*loop), operands);
  // The first result is the strip's length.
  for (unsigned number = 1; number < bound.getNumResults(); ++number)
    counts.push_back(
        createApply(builder, getLoc(), bound.getSubMap({number}), operands));
  return counts;
}

Value StripLoop::stripLength(OpBuilder &builder) {
  auto counted = cast<scf::ForOp>(*loop);
  Value length = arith::ConstantIndexOp::create(builder, getLoc(), iterations);
  if (isDivisible())
    return length;
  Value left = arith::SubIOp::create(builder, getLoc(), counted.getUpperBound(),
                                     (*outer.getLoopInductionVars())[0]);
  Value trips =
      arith::CeilDivSIOp::create(builder, getLoc(), left, counted.getStep());
  return arith::MinSIOp::create(builder, getLoc(), length, trips);
}

/// Creates the loop over one strip, and moves the original's body there.
void StripLoop::moveBody(OpBuilder &builder) {
  ValueRange carried = outerCarried();
  if (auto affineLoop = dyn_cast<affine::AffineForOp>(*loop)) {
    SmallVector<Value> operands;
    AffineMap bound = builder.getConstantAffineMap(iterations);
    if (!isDivisible())
      bound = stripBound(affineLoop, operands);
    inner = affine::AffineForOp::create(builder, getLoc(), ValueRange(),
                                        builder.getConstantAffineMap(0),
                                        operands, bound, 1, carried);
  } else {
    Value zero = arith::ConstantIndexOp::create(builder, getLoc(), 0);
    Value one = arith::ConstantIndexOp::create(builder, getLoc(), 1);
    inner = scf::ForOp::create(builder, getLoc(), zero, stripLength(builder),
                               one, carried);
  }
  Block *body = &inner.getLoopRegions().front()->front();
  body->clear();
  Block *original = &loop.getLoopRegions().front()->front();
  body->getOperations().splice(body->end(), original->getOperations());

  OpBuilder inside = OpBuilder::atBlockBegin(body);
  originalIterator().replaceAllUsesWith(iteratorAt(inside, stripIterator()));
  for (auto [from, to] :
       llvm::zip_equal(loop.getRegionIterArgs(), inner.getRegionIterArgs()))
    from.replaceAllUsesWith(to);
}

ValueRange StripLoop::createInner(OpBuilder &builder, Value guard) {
  Location loc = getLoc();
  ValueRange carried = outerCarried();
  gpu::BarrierOp::create(builder, loc);
  scf::IfOp branch;
  if (guard) {
    branch = scf::IfOp::create(builder, loc, carried.getTypes(), guard,
                               /*withElse=*/!carried.empty());
    builder.setInsertionPointToStart(branch.thenBlock());
  }
  moveBody(builder);
  ValueRange results = inner->getResults();
  if (guard && !carried.empty()) {
    builder.setInsertionPointToEnd(branch.thenBlock());
    scf::YieldOp::create(builder, loc, results);
    builder.setInsertionPointToEnd(branch.elseBlock());
    scf::YieldOp::create(builder, loc, carried);
    results = branch.getResults();
  }
  if (guard)
    builder.setInsertionPointAfter(branch);
  gpu::BarrierOp::create(builder, loc);
  return results;
}

void StripLoop::finish(OpBuilder &builder, ValueRange carried) {
  if (isa<affine::AffineForOp>(*outer))
    affine::AffineYieldOp::create(builder, getLoc(), carried);
  else
    scf::YieldOp::create(builder, getLoc(), carried);
  loop->replaceAllUsesWith(outer->getResults());
  loop->erase();
}
