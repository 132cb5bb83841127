//===- BarrierIntervals.cpp - what runs between barriers ------------------===//

#include "passes/Transforms/Barriers/BarrierIntervals.h"

#include "passes/Transforms/Utils/StripLoop.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "llvm/ADT/STLExtras.h"

#include <utility>

using namespace mlir;
using namespace gpuopt;

/// Operations of one side that are looked at: all are compared with all of the
/// other side.
static constexpr unsigned kMostNeighbours = 256;

namespace {
/// Goes from a barrier to where the interval ends, on all paths.
class IntervalWalk {
public:
  IntervalWalk(Side side, const Barriers &open) : side(side), open(open) {}

  /// Follows what comes after `op`, to the end of the kernel.
  void leave(Operation *op);

  bool isFollowed() const { return followed; }
  SmallVector<Neighbour> take() {
    return llvm::map_to_vector(
        reached, [](auto pair) { return Neighbour{pair.first, pair.second}; });
  }

private:
  // These return whether a barrier ends the interval on every path.
  bool visit(Operation *op);
  bool visitRegion(Region &region);
  bool visitLoop(Operation *loop, Region &body);
  bool visitWhile(scf::WhileOp loop);

  /// Adds what is in `op`, whatever barriers there are.
  void addAll(Operation *op);
  void add(Operation *op);
  /// What comes after the end of an iteration of `loop`: other iterations.
  void wrap(Operation *loop);

  Side side;
  const Barriers &open;
  Operation *otherIteration = nullptr;
  llvm::SmallSetVector<std::pair<Operation *, Operation *>, 16> reached;
  bool followed = true;
};
} // namespace

void IntervalWalk::add(Operation *op) {
  if (!isMemoryEffectFree(op))
    reached.insert({op, otherIteration});
  followed &= reached.size() <= kMostNeighbours;
}

void IntervalWalk::addAll(Operation *op) {
  op->walk([&](Operation *inner) {
    if (!inner->hasTrait<OpTrait::HasRecursiveMemoryEffects>() &&
        !isa<gpu::BarrierOp>(inner))
      add(inner);
  });
}

bool IntervalWalk::visitRegion(Region &region) {
  if (region.empty())
    return false;
  if (!region.hasOneBlock()) {
    followed = false;
    return false;
  }
  Block &body = region.front();
  if (side == Side::Behind)
    return llvm::any_of(body, [&](Operation &op) { return visit(&op); });
  return llvm::any_of(llvm::reverse(body),
                      [&](Operation &op) { return visit(&op); });
}

bool IntervalWalk::visitLoop(Operation *loop, Region &body) {
  std::optional<int64_t> trips = constantTripCount(loop);
  return visitRegion(body) && trips && *trips > 0;
}

bool IntervalWalk::visitWhile(scf::WhileOp loop) {
  // Both ways the region with the condition comes first.
  if (visitRegion(loop.getBefore()))
    return true;
  visitRegion(loop.getAfter());
  return false;
}

bool IntervalWalk::visit(Operation *op) {
  if (!followed)
    return true;
  if (isa<gpu::BarrierOp>(op))
    return !open.contains(op);
  if (op->getNumRegions() == 0) {
    add(op);
    return false;
  }
  if (isa<scf::IfOp, affine::AffineIfOp>(op)) {
    bool isClosed = true;
    for (Region &region : op->getRegions())
      isClosed &= visitRegion(region);
    return isClosed;
  }
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return visitLoop(loop, loop.getRegion());
  if (auto loop = dyn_cast<affine::AffineForOp>(op))
    return visitLoop(loop, loop.getRegion());
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return visitWhile(loop);
  addAll(op);
  return false;
}

void IntervalWalk::wrap(Operation *loop) {
  Operation *around = std::exchange(otherIteration, loop);
  if (isa<scf::WhileOp>(loop))
    addAll(loop);
  else
    visitRegion(loop->getRegion(0));
  otherIteration = around;
}

void IntervalWalk::leave(Operation *op) {
  while (true) {
    Operation *next = op;
    while ((next = side == Side::Behind ? next->getNextNode()
                                        : next->getPrevNode()))
      if (visit(next))
        return;
    op = op->getParentOp();
    if (isa<gpu::GPUFuncOp>(op))
      return;
    if (isa<scf::ForOp, affine::AffineForOp, scf::WhileOp>(op))
      wrap(op);
    else if (!isa<scf::IfOp, affine::AffineIfOp>(op))
      followed = false;
    if (!followed)
      return;
  }
}

std::optional<SmallVector<Neighbour>>
gpuopt::collectInterval(gpu::BarrierOp barrier, Side side,
                        const Barriers &open) {
  IntervalWalk walk(side, open);
  walk.leave(barrier);
  if (!walk.isFollowed())
    return std::nullopt;
  return walk.take();
}
