//===- UnrollForVectors.cpp - loops whose iterations are neighbours -------===//

#include "passes/Transforms/Vectorize/UnrollForVectors.h"

#include "passes/Analysis/IntegerValues.h"
#include "passes/Analysis/LoopRange.h"

#include "mlir/Dialect/Affine/Analysis/LoopAnalysis.h"
#include "mlir/Dialect/Affine/LoopUtils.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace gpuopt;

bool gpuopt::isVectorLoop(Operation *op) {
  auto loop = dyn_cast<affine::AffineForOp>(op);
  // The rest after unrolling cannot be told for a minimum of ends.
  if (!loop || loop.getUpperBoundMap().getNumResults() != 1)
    return false;
  std::optional<uint64_t> trips = affine::getConstantTripCount(loop);
  if (trips ? *trips < 2 : !hasRoomForLength(loop))
    return false;
  return !loop.getBody()
              ->walk([](Operation *inner) {
                return isa<LoopLikeOpInterface, gpu::BarrierOp>(inner)
                           ? WalkResult::interrupt()
                           : WalkResult::advance();
              })
              .wasInterrupted();
}

/// The groups of `plan` that need the loop to be unrolled: members from more
/// than one iteration of `perIteration` events.
static int64_t countSavedAccesses(const VectorPlan &plan, size_t perIteration,
                                  const VectorGroup *&first) {
  int64_t saved = 0;
  for (const VectorGroup &group : plan.groups) {
    auto iterationOf = [&](unsigned event) { return event / perIteration; };
    bool isOfOne = llvm::all_of(group.lanes, [&](unsigned event) {
      return iterationOf(event) == iterationOf(group.lanes.front());
    });
    if (isOfOne)
      continue;
    saved += group.lanes.size() - 1;
    first = first ? first : &group;
  }
  return saved;
}

VectorUnrolling gpuopt::planUnrolling(const VectorLoop &loop,
                                      VectorEvents &events, int64_t maxBytes,
                                      int64_t maxOperations) {
  VectorUnrolling best;
  int64_t operations = 0;
  loop.body->walk([&](Operation *) { ++operations; });
  std::optional<uint64_t> trips;
  if (auto counted = dyn_cast<affine::AffineForOp>(loop.body->getParentOp()))
    trips = affine::getConstantTripCount(counted);
  double bestSaved = 0;
  std::optional<LoopEvents> once;
  for (int64_t factor = maxBytes; factor > 1; factor /= 2) {
    if (factor * operations > maxOperations ||
        (trips && *trips < uint64_t(factor)))
      continue;
    if (!once)
      once = events.collectLoop(loop);
    if (once->once.events.empty())
      return best;
    BlockEvents block = events.repeat(*once, factor);
    VectorPlan plan = events.plan(block, maxBytes);
    size_t perIteration = block.events.size() / factor;
    for (const VectorMiss &miss : plan.misses)
      if (miss.reason == VectorMiss::Reason::Unaligned && !best.unaligned)
        best.unaligned = block.operations[miss.event];
    const VectorGroup *first = nullptr;
    int64_t saved = countSavedAccesses(plan, perIteration, first);
    double savedEach = double(saved) / factor;
    // Of equal ones the least, which leaves the shortest rest.
    if (saved == 0 || savedEach < bestSaved)
      continue;
    bestSaved = savedEach;
    best.factor = factor;
    best.accesses = llvm::count_if(block.events, [](const MemoryEvent &event) {
      return event.kind == MemoryEvent::Kind::Load ||
             event.kind == MemoryEvent::Kind::Store;
    });
    best.vectorAccesses = best.accesses - saved;
    best.vectorized = block.operations[first->lanes.front()];
  }
  return best;
}

/// Lets `loop` end behind its last `factor` iterations in a row, and a copy of
/// it do the rest. Upstream's unrolling has a rest of its own, which runs once
/// where the end lies before the begin: `%n - %n mod 2` is -2 where %n is -1.
static LogicalResult splitOffRest(affine::AffineForOp loop, int64_t factor) {
  AffineMap lower = loop.getLowerBoundMap(), upper = loop.getUpperBoundMap();
  if (lower.getNumResults() != 1 || upper.getNumResults() != 1)
    return failure();
  unsigned dims = lower.getNumDims(), symbols = lower.getNumSymbols();
  ValueRange begin = loop.getLowerBoundOperands();
  ValueRange end = loop.getUpperBoundOperands();
  SmallVector<Value> operands(begin.take_front(dims));
  llvm::append_range(operands, end.take_front(upper.getNumDims()));
  llvm::append_range(operands, begin.drop_front(dims));
  llvm::append_range(operands, end.drop_front(upper.getNumDims()));
  AffineExpr first = lower.getResult(0);
  AffineExpr length = upper.getResult(0)
                          .shiftDims(upper.getNumDims(), dims)
                          .shiftSymbols(upper.getNumSymbols(), symbols) -
                      first;
  int64_t step = loop.getStepAsInt();
  AffineExpr behind =
      first + length.ceilDiv(step).floorDiv(factor) * (factor * step);
  auto mapOf = [&](ArrayRef<AffineExpr> bounds) {
    return AffineMap::get(dims + upper.getNumDims(),
                          symbols + upper.getNumSymbols(), bounds,
                          loop.getContext());
  };
  OpBuilder builder(loop->getContext());
  builder.setInsertionPointAfter(loop);
  auto rest = cast<affine::AffineForOp>(builder.clone(*loop));
  loop.replaceAllUsesWith(rest.getResults());
  rest.getInitsMutable().assign(loop.getResults());
  // Where the end lies before the begin, the begin is the larger one.
  IntegerValues values(loop->getParentOfType<FunctionOpInterface>());
  bool isInOrder =
      values.getRange(values.get(mapOf(length), operands).front()).low >= 0;
  rest.setLowerBound(operands,
                     isInOrder ? mapOf(behind) : mapOf({first, behind}));
  loop.setUpperBound(operands, mapOf(behind));
  return success();
}

LogicalResult gpuopt::unrollByFactor(affine::AffineForOp loop, int64_t factor) {
  if (!affine::getConstantTripCount(loop) &&
      affine::getLargestDivisorOfTripCount(loop) % factor &&
      failed(splitOffRest(loop, factor)))
    return failure();
  OpBuilder builder(loop);
  SmallVector<UnrealizedConversionCastOp> copies;
  for (OpOperand &init : loop.getInitsMutable()) {
    auto copy = UnrealizedConversionCastOp::create(
        builder, loop.getLoc(), init.get().getType(), init.get());
    init.set(copy.getResult(0));
    copies.push_back(copy);
  }
  LogicalResult result = affine::loopUnrollByFactor(loop, factor);
  for (UnrealizedConversionCastOp copy : copies) {
    copy.getResult(0).replaceAllUsesWith(copy.getOperand(0));
    copy.erase();
  }
  return result;
}
