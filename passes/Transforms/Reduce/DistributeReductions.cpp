//===- DistributeReductions.cpp - several threads for a row ---------------===//

#include "dialects/GPUOpt/AttributeNames.h"
#include "dialects/GPUOpt/LaunchConditions.h"
#include "dialects/GPUOpt/SubgroupShuffles.h"
#include "passes/Analysis/ArgumentExpressions.h"
#include "passes/Analysis/BlockItems.h"
#include "passes/Transforms/Geometry/FixGeometry.h"
#include "passes/Transforms/Geometry/LaunchObstacle.h"
#include "passes/Transforms/Passes.h"
#include "passes/Transforms/Reduce/RowRewrite.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"

namespace gpuopt {
#define GEN_PASS_DEF_DISTRIBUTEREDUCTIONS
#include "passes/Transforms/Passes.h.inc"
} // namespace gpuopt

using namespace mlir;
using namespace gpuopt;

/// The dimension along which a block has several rows; nothing where blocks
/// stay single items.
static std::optional<unsigned>
findRowDimension(gpu::GPUFuncOp kernel, const std::array<bool, 3> &single) {
  std::optional<unsigned> first;
  kernel.walk([&](gpu::GlobalIdOp id) {
    auto dim = static_cast<unsigned>(id.getDimension());
    if (!single[dim] && dim < first.value_or(3))
      first = dim;
  });
  return first;
}

/// Writes the ids of work items as those of blocks and of `lanes` threads each,
/// and returns the thread's number among these.
static Value replaceIds(gpu::GPUFuncOp kernel, const GeometryPlan &plan,
                        int64_t lanes) {
  OpBuilder builder = OpBuilder::atBlockBegin(&kernel.getBody().front());
  Location loc = kernel.getLoc();
  Value thread = gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x);
  AffineExpr number = builder.getAffineSymbolExpr(0);
  Value lane = affine::AffineApplyOp::create(
      builder, loc, AffineMap::get(0, 1, number % lanes), thread);
  SmallVector<gpu::GlobalIdOp> ids;
  kernel.walk([&](gpu::GlobalIdOp id) { ids.push_back(id); });
  std::array<Value, 3> items;
  for (gpu::GlobalIdOp id : ids) {
    auto dim = static_cast<unsigned>(id.getDimension());
    if (!items[dim]) {
      items[dim] = gpu::BlockIdOp::create(builder, loc, id.getDimension());
      AffineExpr block = builder.getAffineSymbolExpr(1);
      if (plan.items[dim] > 1)
        items[dim] = affine::AffineApplyOp::create(
            builder, loc,
            AffineMap::get(0, 2,
                           block * plan.items[dim] + number.floorDiv(lanes)),
            ValueRange{thread, items[dim]});
    }
    id.replaceAllUsesWith(items[dim]);
  }
  // Not before: one of them may be what the builder inserts in front of.
  for (gpu::GlobalIdOp id : ids)
    id.erase();
  return lane;
}

/// Launches with rows of fewer elements than half the lanes take the original
/// kernel: most lanes would have nothing to do. Of rows whose length launchers
/// cannot know nothing is asked.
static void requireLongRows(gpu::GPUFuncOp kernel, const RowWork &work,
                            int64_t lanes) {
  IntegerValues values(kernel);
  SmallVector<AffineExpr> conditions;
  for (const SharedLoop &shared : work.loops) {
    auto loop = dyn_cast<affine::AffineForOp>(*shared.loop);
    if (!loop || !shared.isRow)
      continue;
    SmallVector<Polynomial> begins =
        values.get(loop.getLowerBoundMap(), loop.getLowerBoundOperands());
    SmallVector<Polynomial> ends =
        values.get(loop.getUpperBoundMap(), loop.getUpperBoundOperands());
    if (begins.size() != 1 || ends.size() != 1)
      continue;
    Polynomial spare = ends.front() - begins.front() -
                       Polynomial(lanes / 2 * loop.getStepAsInt());
    if (spare.isUnknown() || spare.getConstant())
      continue;
    if (AffineExpr condition = expressionOverArguments(kernel, values, spare))
      conditions.push_back(condition);
  }
  addLaunchConditions(kernel, kernel.getNumArguments(), conditions);
}

static bool reordersSums(const RowWork &work) {
  return llvm::any_of(work.loops, [](const SharedLoop &shared) {
    return llvm::any_of(shared.carried, isRoundedByOrder);
  });
}

namespace {
struct DistributeReductions
    : public gpuopt::impl::DistributeReductionsBase<DistributeReductions> {
  using DistributeReductionsBase::DistributeReductionsBase;

  void runOnOperation() override {
    if (rows < 1) {
      getOperation().emitError("expected 'rows' to be 1 or more, got ")
          << rows.getValue();
      return signalPassFailure();
    }
    for (gpu::GPUFuncOp kernel : collectOpenKernels(getOperation()))
      // A thread of a plan's block has a row of its own.
      if (!kernel->hasAttr(kPartitionAttrName) && failed(distribute(kernel)))
        return signalPassFailure();
  }

private:
  LogicalResult distribute(gpu::GPUFuncOp kernel);
  void rewrite(gpu::GPUFuncOp kernel, GeometryPlan &plan, RowWork &work,
               int64_t lanes);
};
} // namespace

LogicalResult DistributeReductions::distribute(gpu::GPUFuncOp kernel) {
  FailureOr<TargetAttr> description = resolveTarget(kernel, target);
  if (failed(description))
    return failure();
  GeometryPlan plan;
  plan.blockItems = findBlockItems(kernel);
  // What keeps it from any other block too, the pass for those says.
  if (findLaunchObstacle(kernel, plan.blockItems, {}))
    return success();
  RowAnalysis analysis = analyzeRows(kernel, plan.blockItems, *description);
  if (!analysis.hasRows)
    return success();
  if (auto *refusal = std::get_if<Refusal>(&analysis.work)) {
    sayMissed(RemarkCode::RowsNotDistributed, kernel, *refusal);
    return success();
  }
  if (!chipHasSubgroupShuffles(*description)) {
    sayMissed(
        RemarkCode::RowsNotDistributed, kernel,
        Refusal{kernel.getLoc(), "the target's lanes cannot exchange values"});
    return success();
  }
  int64_t lanes = description->getSubgroupSize();
  int64_t most = description->getThreadsPerWorkgroup() / lanes;
  if (rows > most)
    return kernel.emitError("expected 'rows' to be at most ")
           << most << ", for blocks that the target can run, got "
           << rows.getValue();
  rewrite(kernel, plan, std::get<RowWork>(analysis.work), lanes);
  return success();
}

void DistributeReductions::rewrite(gpu::GPUFuncOp kernel, GeometryPlan &plan,
                                   RowWork &work, int64_t lanes) {
  openGeometry(kernel, plan);
  requireLongRows(kernel, work, lanes);
  std::optional<unsigned> dim =
      findRowDimension(kernel, findSingleItems(kernel, plan));
  if (dim)
    plan.items[*dim] = rows;
  int64_t perBlock = dim ? int64_t(rows) : 1;
  plan.block = {lanes * perBlock, 1, 1};
  Value lane = replaceIds(kernel, plan, lanes);
  shareRows(kernel, work, lane, lanes);
  recordGeometry(kernel, plan);
  auto said = sayPassed(RemarkCode::RowsDistributed, kernel, kernel.getLoc(),
                        {{"lanes", lanes},
                         {"rows", perBlock},
                         {"condition", describeCondition(plan)}});
  said << remark::metric("loops", int64_t(work.loops.size()));
  if (reordersSums(work))
    said << remark::metric(kReordersSumsKey, true);
  ++distributed;
  loops += work.loops.size();
}
