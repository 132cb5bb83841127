//===- RelaxBarriers.cpp - barriers for those who need them ---------------===//

#include "dialects/GPUOpt/AttributeNames.h"
#include "dialects/GPUOpt/SubgroupShuffles.h"
#include "passes/Analysis/TimeBudget.h"
#include "passes/Analysis/Uniformity.h"
#include "passes/Transforms/Barriers/BarrierScope.h"
#include "passes/Transforms/Passes.h"
#include "passes/Transforms/Utils/Kernels.h"
#include "passes/Transforms/Utils/KnownBlock.h"
#include "passes/Transforms/Utils/SubgroupBarrier.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace gpuopt {
#define GEN_PASS_DEF_RELAXBARRIERS
#include "passes/Transforms/Passes.h.inc"
} // namespace gpuopt

using namespace mlir;
using namespace gpuopt;

namespace {
struct RelaxBarriers : public gpuopt::impl::RelaxBarriersBase<RelaxBarriers> {
  using RelaxBarriersBase::RelaxBarriersBase;

  void runOnOperation() override {
    FailureOr<TargetAttr> machine = resolveTarget(getOperation(), target);
    if (failed(machine))
      return signalPassFailure();
    for (gpu::GPUFuncOp kernel : collectKernels(getOperation()))
      relax(kernel, *machine);
  }

  void relax(gpu::GPUFuncOp kernel, TargetAttr machine);
};
} // namespace

void RelaxBarriers::relax(gpu::GPUFuncOp kernel, TargetAttr machine) {
  SmallVector<gpu::BarrierOp> barriers;
  kernel.walk([&](gpu::BarrierOp barrier) { barriers.push_back(barrier); });
  std::optional<BlockShape> block = knownBlockOf(kernel);
  if (barriers.empty() || !block || !kernel.getBody().hasOneBlock())
    return;

  UniformityAnalysis uniformity(kernel);
  // Each thread by itself where lanes cannot wait for each other: what has
  // shuffles has such barriers, too (PTX ISA, `bar.warp.sync`).
  int64_t lanes =
      chipHasSubgroupShuffles(machine) ? machine.getSubgroupSize() : 1;
  BarrierScopes scopes(kernel, *block, lanes);
  std::optional<Refusal> refusal;
  SmallVector<gpu::BarrierOp> needless, narrow;
  for (gpu::BarrierOp barrier : barriers) {
    if (!uniformity.isUnderUniformControl(barrier) ||
        !hasTime(kernel.getContext()))
      continue;
    auto [scope, unknown] = scopes.relax(barrier);
    if (scope == BarrierScope::Nobody)
      needless.push_back(barrier);
    else if (scope == BarrierScope::Subgroup)
      narrow.push_back(barrier);
    else if (!refusal && !unknown.empty())
      refusal = Refusal{barrier.getLoc(), unknown};
  }
  if (refusal)
    sayMissed(RemarkCode::BarrierKept, kernel, *refusal);
  if (needless.empty() && narrow.empty())
    return;

  gpu::BarrierOp first = needless.empty() ? narrow.front() : needless.front();
  sayPassed(RemarkCode::BarriersRelaxed, kernel, first.getLoc(),
            {{"barriers", static_cast<int64_t>(barriers.size())},
             {"removed", static_cast<int64_t>(needless.size())},
             {"subgroup", static_cast<int64_t>(narrow.size())}});
  IRRewriter rewriter(kernel.getContext());
  for (gpu::BarrierOp barrier : narrow) {
    rewriter.setInsertionPoint(barrier);
    createSubgroupBarrier(rewriter, barrier.getLoc())
        ->setAttr(kOfWholeBlockAttrName, rewriter.getUnitAttr());
    rewriter.eraseOp(barrier);
  }
  for (gpu::BarrierOp barrier : needless)
    rewriter.eraseOp(barrier);
  removed += needless.size();
  relaxed += narrow.size();
}
