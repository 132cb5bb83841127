//===- UnrollForVectors.cpp - loops whose iterations are neighbours -------===//

#include "passes/Transforms/Vectorize/UnrollForVectors.h"

#include "passes/Analysis/LoopRange.h"
#include "passes/Transforms/Utils/LoopRemainder.h"
#include "passes/Transforms/Utils/UnrollLoop.h"

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

LogicalResult gpuopt::unrollByFactor(affine::AffineForOp loop, int64_t factor) {
  if (loop.getLowerBoundMap().getNumResults() != 1)
    return failure();
  if (affine::getLargestDivisorOfTripCount(loop) % factor) {
    LoopEnd end = endOfWholeSteps(loop, factor);
    OpBuilder builder(loop->getContext());
    builder.setInsertionPointAfter(loop);
    auto rest = cast<affine::AffineForOp>(builder.clone(*loop));
    loop.replaceAllUsesWith(rest.getResults());
    rest.getInitsMutable().assign(loop.getResults());
    keepRemainder(rest, end);
    (void)affine::promoteIfSingleIteration(rest);
    loop.setUpperBound(end.operands, end.map);
  }
  return unrollBy(loop, factor);
}
