//===- UnrollTiles.cpp - unroll the loops over a tile ---------------------===//
//
// A loop over a tile in workgroup memory has few iterations and, in the version
// without guards, a constant number. Unrolled, its addresses are constants,
// neighbouring loads become wide ones, and loads can move. The back end would
// do that for small bodies only. A large body, of a thread with many work
// items, has enough to overlap in a few iterations: more of them would only
// cost registers, for loads that move too far ahead, and time to compile.
//
//===----------------------------------------------------------------------===//

#include "passes/Transforms/Passes.h"
#include "passes/Transforms/Utils/UnrollLoop.h"

#include "mlir/Dialect/Affine/Analysis/LoopAnalysis.h"

namespace gpuopt {
#define GEN_PASS_DEF_UNROLLTILES
#include "passes/Transforms/Passes.h.inc"
} // namespace gpuopt

using namespace mlir;
using namespace gpuopt;

/// Whether `loop` reads workgroup memory between barriers.
static bool isTileLoop(affine::AffineForOp loop) {
  bool readsTile = false;
  WalkResult result = loop.walk([&](Operation *op) {
    if (auto load = dyn_cast<affine::AffineLoadOp>(op))
      readsTile |=
          gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(load.getMemRefType());
    return isa<gpu::BarrierOp>(op) ? WalkResult::interrupt()
                                   : WalkResult::advance();
  });
  return readsTile && !result.wasInterrupted();
}

static int64_t countOperations(affine::AffineForOp loop) {
  int64_t count = 0;
  loop.getRegion().walk([&](Operation *) { ++count; });
  return count;
}

namespace {
struct UnrollTiles : public gpuopt::impl::UnrollTilesBase<UnrollTiles> {
  using UnrollTilesBase::UnrollTilesBase;

  void runOnOperation() override {
    SmallVector<affine::AffineForOp> loops;
    getOperation().walk([&](affine::AffineForOp loop) {
      if (isTileLoop(loop))
        loops.push_back(loop);
    });
    // Inner loops come first.
    for (affine::AffineForOp loop : loops) {
      std::optional<uint64_t> trips = affine::getConstantTripCount(loop);
      if (!trips || *trips > uint64_t(maxTripCount))
        continue;
      // The largest part of the loop that leaves no iterations over.
      uint64_t factor = *trips;
      while (factor > 1 &&
             (*trips % factor != 0 ||
              int64_t(factor) * countOperations(loop) > maxOperations))
        --factor;
      if (factor == *trips)
        unrolled += succeeded(unrollFully(loop));
      else if (factor > 1)
        unrolled += succeeded(unrollBy(loop, factor));
    }
  }
};
} // namespace
