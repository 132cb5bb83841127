//===- JamRewrite.cpp - take iterations of an outer loop together ---------===//

#include "passes/Transforms/Jam/JamRewrite.h"

#include "passes/Transforms/Jam/ForwardStores.h"
#include "passes/Transforms/Utils/LoopRemainder.h"
#include "passes/Transforms/Utils/UnrollLoop.h"

#include "mlir/Dialect/Affine/Analysis/LoopAnalysis.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace gpuopt;

namespace {
/// Rewrites one nest: a loop over blocks of iterations in front of the outer
/// loop, which keeps the iterations that are left.
class NestJammer {
public:
  NestJammer(JamNest &nest, int64_t maxOperations)
      : nest(nest), maxOperations(maxOperations), builder(nest.outer),
        loc(nest.outer.getLoc()), maps(nest.factor), sums(nest.factor) {}

  /// Returns the loop over blocks.
  affine::AffineForOp run();

private:
  void createBlockLoop();
  void createParts();
  void createCommon();
  void createPart(int64_t number, int64_t from, int64_t to,
                  const JamBound &bound);
  affine::AffineForOp createInner(AffineMap lower, ValueRange lowerOperands,
                                  AffineMap upper, ValueRange upperOperands,
                                  ValueRange inits);
  SmallVector<Value> mapped(ValueRange values, int64_t number);
  AffineMap moved(const JamBound &bound, int64_t distance);
  void keepRemainder();
  int64_t operationsInParts();

  JamNest &nest;
  int64_t maxOperations;
  OpBuilder builder;
  Location loc;
  /// The values of each of the iterations taken together.
  SmallVector<IRMapping> maps;
  /// What the reductions of each of them have come to.
  SmallVector<SmallVector<Value>> sums;
  affine::AffineForOp blocks;
  /// Where the loop over blocks ends.
  LoopEnd end;
};
} // namespace

SmallVector<Value> NestJammer::mapped(ValueRange values, int64_t number) {
  SmallVector<Value> results;
  for (Value value : values)
    results.push_back(maps[number].lookupOrDefault(value));
  return results;
}

AffineMap NestJammer::moved(const JamBound &bound, int64_t distance) {
  return AffineMap::get(bound.map.getNumDims(), bound.map.getNumSymbols(),
                        bound.map.getResult(0) + distance);
}

/// Creates `affine.for %i = lower to lower + trips floordiv factor * S step S`
/// with S the step of `factor` iterations.
void NestJammer::createBlockLoop() {
  affine::AffineForOp outer = nest.outer;
  int64_t step = outer.getStepAsInt() * nest.factor;
  end = endOfWholeSteps(outer, nest.factor);
  blocks = affine::AffineForOp::create(
      builder, loc, outer.getLowerBoundOperands(), outer.getLowerBoundMap(),
      end.operands, end.map, step, outer.getInits());
  if (!blocks.getBody()->empty())
    blocks.getBody()->clear();
  builder.setInsertionPointToStart(blocks.getBody());

  AffineExpr iterator = builder.getAffineDimExpr(0);
  for (auto [number, map] : llvm::enumerate(maps)) {
    Value value = blocks.getInductionVar();
    if (number > 0)
      value = affine::AffineApplyOp::create(
          builder, loc,
          AffineMap::get(1, 0, iterator + number * outer.getStepAsInt()),
          value);
    map.map(outer.getInductionVar(), value);
  }
}

affine::AffineForOp NestJammer::createInner(AffineMap lower,
                                            ValueRange lowerOperands,
                                            AffineMap upper,
                                            ValueRange upperOperands,
                                            ValueRange inits) {
  auto loop = affine::AffineForOp::create(
      builder, nest.inner.getLoc(), lowerOperands, lower, upperOperands, upper,
      nest.inner.getStepAsInt(), inits);
  if (!loop.getBody()->empty())
    loop.getBody()->clear();
  return loop;
}

/// Creates the inner iterations that all outer ones have.
void NestJammer::createCommon() {
  SmallVector<Value> inits;
  for (ArrayRef<Value> values : sums)
    llvm::append_range(inits, values);
  affine::AffineForOp loop =
      createInner(moved(nest.lower, nest.largest(nest.lower)),
                  mapped(nest.lower.operands, 0),
                  moved(nest.upper, nest.smallest(nest.upper)),
                  mapped(nest.upper.operands, 0), inits);
  OpBuilder::InsertionGuard keep(builder);
  builder.setInsertionPointToStart(loop.getBody());
  ValueRange carried = loop.getRegionIterArgs();
  for (IRMapping &map : maps) {
    map.map(nest.inner.getInductionVar(), loop.getInductionVar());
    ValueRange own = carried.take_front(nest.inner.getNumResults());
    map.map(nest.inner.getRegionIterArgs(), own);
    carried = carried.drop_front(own.size());
  }
  for (Operation &op : nest.inner.getBody()->without_terminator()) {
    if (!nest.shared.contains(&op)) {
      for (IRMapping &map : maps)
        builder.clone(op, map);
      continue;
    }
    Operation *clone = builder.clone(op, maps.front());
    for (IRMapping &map : maps)
      map.map(op.getResults(), clone->getResults());
  }
  SmallVector<Value> yielded;
  for (int64_t number = 0; number < nest.factor; ++number)
    llvm::append_range(
        yielded,
        mapped(nest.inner.getBody()->getTerminator()->getOperands(), number));
  affine::AffineYieldOp::create(builder, loc, yielded);
  ValueRange results = loop.getResults();
  for (SmallVector<Value> &values : sums) {
    llvm::copy(results.take_front(values.size()), values.begin());
    results = results.drop_front(values.size());
  }
}

/// Operations of all heads and rests, unrolled.
int64_t NestJammer::operationsInParts() {
  int64_t body = 0;
  nest.inner.getRegion().walk([&](Operation *) { ++body; });
  int64_t shift = std::abs(nest.lower.shift) + std::abs(nest.upper.shift);
  return body * shift * nest.factor * (nest.factor - 1) / 2;
}

/// Creates the inner iterations `from` to `to`, counted from `bound` of
/// the first outer iteration, of the one that is `number` behind.
void NestJammer::createPart(int64_t number, int64_t from, int64_t to,
                            const JamBound &bound) {
  if (from == to)
    return;
  SmallVector<Value> operands = mapped(bound.operands, 0);
  affine::AffineForOp loop = createInner(
      moved(bound, from), operands, moved(bound, to), operands, sums[number]);
  {
    OpBuilder::InsertionGuard keep(builder);
    builder.setInsertionPointToStart(loop.getBody());
    IRMapping map = maps[number];
    map.map(nest.inner.getInductionVar(), loop.getInductionVar());
    map.map(nest.inner.getRegionIterArgs(), loop.getRegionIterArgs());
    for (Operation &op : *nest.inner.getBody())
      builder.clone(op, map);
  }
  // Unrolling replaces the loop: its results are found again at their use.
  Operation *anchor = UnrealizedConversionCastOp::create(
      builder, loc, TypeRange(ValueRange(sums[number])), loop.getResults());
  if (operationsInParts() <= maxOperations)
    (void)unrollFully(loop);
  llvm::copy(anchor->getOperands(), sums[number].begin());
  anchor->erase();
}

void NestJammer::createParts() {
  for (IRMapping &map : maps)
    for (Operation *op : nest.before)
      builder.clone(*op, map);
  for (int64_t number = 0; number < nest.factor; ++number) {
    sums[number] = mapped(nest.inner.getInits(), number);
    createPart(number, nest.lower.shift * number, nest.largest(nest.lower),
               nest.lower);
  }
  createCommon();
  ValueRange carried = blocks.getRegionIterArgs();
  SmallVector<Value> yielded(carried);
  for (int64_t number = 0; number < nest.factor; ++number) {
    IRMapping &map = maps[number];
    map.map(nest.outer.getRegionIterArgs(), yielded);
    createPart(number, nest.smallest(nest.upper), nest.upper.shift * number,
               nest.upper);
    map.map(nest.inner.getResults(), sums[number]);
    for (Operation *op : nest.after)
      builder.clone(*op, map);
    yielded =
        mapped(nest.outer.getBody()->getTerminator()->getOperands(), number);
  }
  affine::AffineYieldOp::create(builder, loc, yielded);
}

/// Lets the original loop run from where the blocks end.
void NestJammer::keepRemainder() {
  affine::AffineForOp outer = nest.outer;
  std::optional<uint64_t> trips = affine::getConstantTripCount(outer);
  if (trips && *trips % nest.factor == 0) {
    outer.replaceAllUsesWith(blocks.getResults());
    outer.erase();
    return;
  }
  gpuopt::keepRemainder(outer, end);
  outer.getInitsMutable().assign(blocks.getResults());
}

affine::AffineForOp NestJammer::run() {
  createBlockLoop();
  createParts();
  keepRemainder();
  return blocks;
}

unsigned gpuopt::jamNest(gpu::GPUFuncOp kernel, JamNest &nest,
                         int64_t maxOperations) {
  affine::AffineForOp blocks = NestJammer(nest, maxOperations).run();
  return forwardStores(kernel, *blocks.getBody());
}
