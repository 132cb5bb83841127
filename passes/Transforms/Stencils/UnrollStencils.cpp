//===- UnrollStencils.cpp - unroll loops over neighbours ------------------===//
//
// A small loop over the neighbours of a work item that tiles for nests of loops
// do not suit, because what it does depends on the iteration, becomes straight
// code with constant offsets. `gpuopt-coalesce-accesses` finds one tile for
// these.
//
//===----------------------------------------------------------------------===//

#include "passes/Analysis/Canonicalization.h"
#include "passes/Transforms/Passes.h"
#include "passes/Transforms/Stencils/NestPlan.h"
#include "passes/Transforms/Utils/Aliasing.h"
#include "passes/Transforms/Utils/Kernels.h"
#include "passes/Transforms/Utils/UnrollLoop.h"

#include "mlir/Dialect/Affine/Analysis/LoopAnalysis.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

namespace gpuopt {
#define GEN_PASS_DEF_UNROLLSTENCILS
#include "passes/Transforms/Passes.h.inc"
} // namespace gpuopt

using namespace mlir;
using namespace gpuopt;

namespace {
/// Finds the loops of one kernel to unroll.
class StencilLoops {
public:
  StencilLoops(const StagingContext &stagingContext, int64_t mostTrips,
               int64_t mostCopies)
      : context(stagingContext), functions(context.kernel),
        maxTripCount(mostTrips), maxCopies(mostCopies) {}

  /// The outermost of each nest.
  SmallVector<affine::AffineForOp> find();

private:
  void findStaged();
  bool readsNeighbours(affine::AffineForOp loop);
  std::string whyNotUnrollable(affine::AffineForOp nest) const;

  const StagingContext &context;
  AccessFunctions functions;
  int64_t maxTripCount, maxCopies;
  /// Loads that get a tile as they are.
  llvm::SmallPtrSet<Operation *, 16> staged;
};
} // namespace

void StencilLoops::findStaged() {
  gpu::GPUFuncOp kernel = context.kernel;
  kernel.walk<WalkOrder::PreOrder>([&](affine::AffineForOp loop) {
    std::vector<MissedAccess> missed;
    NestPlan plan = planNest(context, functions, loop, missed);
    for (const NestLoad &load : plan.loads)
      staged.insert(load.op);
    return plan.loads.empty() ? WalkResult::advance() : WalkResult::skip();
  });
}

/// Whether a load in `loop` is one that neighbours share, in an array that
/// nobody writes, and has no tile.
bool StencilLoops::readsNeighbours(affine::AffineForOp loop) {
  WalkResult result = loop.walk([&](Operation *op) {
    const AccessFunction *access = functions.lookup(op);
    bool isShared =
        access && access->kind == AccessKind::Load &&
        access->space == MemorySpace::Global && !staged.contains(op) &&
        isSharedAcrossIterations(context, functions, *access, loop) &&
        !findConflict(context.kernel, op->getOperand(0), /*readsToo=*/false,
                      [](Operation *) { return true; });
    return isShared ? WalkResult::interrupt() : WalkResult::advance();
  });
  return result.wasInterrupted();
}

/// Why the loops in `nest`, itself included, are not unrolled.
std::string StencilLoops::whyNotUnrollable(affine::AffineForOp nest) const {
  std::string reason;
  // Each loop's copies, times those of the loops around it.
  llvm::DenseMap<Operation *, int64_t> copies;
  nest->walk<WalkOrder::PreOrder>([&](LoopLikeOpInterface op) {
    auto loop = dyn_cast<affine::AffineForOp>(*op);
    std::optional<uint64_t> trips;
    if (loop)
      trips = affine::getConstantTripCount(loop);
    if (!trips) {
      reason = "the number of iterations is not constant";
    } else if (int64_t(*trips) > maxTripCount) {
      reason = llvm::formatv("{0} iterations are more than {1}", *trips,
                             maxTripCount);
    } else {
      auto around = op->getParentOfType<LoopLikeOpInterface>();
      int64_t &count = copies[op];
      count = *trips * (op == nest ? 1 : copies.lookup(around));
      if (count > maxCopies)
        reason = llvm::formatv("{0} iterations of the nest are more than {1}",
                               count, maxCopies);
    }
    return reason.empty() ? WalkResult::advance() : WalkResult::interrupt();
  });
  return reason;
}

SmallVector<affine::AffineForOp> StencilLoops::find() {
  findStaged();
  SmallVector<affine::AffineForOp> found;
  gpu::GPUFuncOp kernel = context.kernel;
  kernel.walk<WalkOrder::PreOrder>([&](affine::AffineForOp loop) {
    bool isStencil = false;
    loop.walk([&](affine::AffineForOp inner) {
      isStencil |= readsNeighbours(inner);
    });
    if (!isStencil)
      return WalkResult::skip();
    std::string reason = whyNotUnrollable(loop);
    if (reason.empty()) {
      found.push_back(loop);
      return WalkResult::skip();
    }
    if (readsNeighbours(loop))
      sayMissed(RemarkCode::StencilNotUnrolled, kernel,
                Refusal{loop.getLoc(), reason});
    return WalkResult::advance();
  });
  return found;
}

namespace {
struct UnrollStencils
    : public gpuopt::impl::UnrollStencilsBase<UnrollStencils> {
  using UnrollStencilsBase::UnrollStencilsBase;

  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<gpu::GPUFuncOp>()) {
      GeometryAttr geometry = geometryOf(kernel);
      if (!geometry || kernel.getBody().empty())
        continue;
      FailureOr<TargetAttr> description = resolveTarget(kernel, target);
      if (failed(description))
        return signalPassFailure();
      StagingContext context{kernel, *description, {}};
      llvm::copy(geometry.getBlock(), context.block.begin());
      gatherIds(kernel);
      if (failed(unroll(kernel,
                        StencilLoops(context, maxTripCount, maxCopies).find())))
        return signalPassFailure();
    }
  }

private:
  LogicalResult unroll(gpu::GPUFuncOp kernel,
                       ArrayRef<affine::AffineForOp> nests);
};
} // namespace

LogicalResult UnrollStencils::unroll(gpu::GPUFuncOp kernel,
                                     ArrayRef<affine::AffineForOp> nests) {
  if (nests.empty())
    return success();
  for (affine::AffineForOp nest : nests) {
    sayPassed(RemarkCode::StencilUnrolled, kernel, nest.getLoc())
        << remark::metric("iterations", *affine::getConstantTripCount(nest));
    // Inner loops come first.
    SmallVector<affine::AffineForOp> loops;
    nest.walk([&](affine::AffineForOp loop) { loops.push_back(loop); });
    for (affine::AffineForOp loop : loops) {
      if (failed(unrollFully(loop)))
        return loop.emitError("cannot be unrolled");
      ++unrolled;
    }
  }
  // Conditions on iterators are constant now.
  OpPassManager cleanup(gpu::GPUFuncOp::getOperationName());
  cleanup.addPass(createCanonicalizer());
  cleanup.addPass(createCSEPass());
  return runPipeline(cleanup, kernel);
}
