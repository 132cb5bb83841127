//===- SplitAtGridBarriers.cpp - a launch for each phase ------------------===//

#include "passes/Analysis/Remarks.h"
#include "passes/Raising/GridSplitter.h"
#include "passes/Raising/Passes.h"

#include "dialects/GPUOpt/GPUOptOps.h"

namespace gpuopt {
#define GEN_PASS_DEF_SPLITATGRIDBARRIERS
#include "passes/Raising/Passes.h.inc"
} // namespace gpuopt

using namespace mlir;
using namespace gpuopt;

static bool hasGridBarrier(gpu::GPUFuncOp kernel) {
  return kernel.walk([](GridBarrierOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

namespace {
class SplitAtGridBarriersPass
    : public gpuopt::impl::SplitAtGridBarriersBase<SplitAtGridBarriersPass> {
  void runOnOperation() override {
    SmallVector<gpu::GPUFuncOp> kernels;
    getOperation()->walk([&](gpu::GPUFuncOp kernel) {
      if (kernel.isKernel() && hasGridBarrier(kernel))
        kernels.push_back(kernel);
    });
    OpPassManager indices(gpu::GPUFuncOp::getOperationName());
    buildRaiseIndicesPipeline(indices);
    for (gpu::GPUFuncOp kernel : kernels) {
      Location loc = kernel.getLoc();
      FailureOr<SplitKernel> split = splitAtGridBarriers(kernel);
      if (failed(split))
        return signalPassFailure();
      sayPassed(
          RemarkCode::GridBarrierSplit, split->host, loc,
          {{"places", split->barriers}, {"kernels", split->phases.size()}});
      ++numSplit;
      // Loop variables have become parameters, and guards compare with those.
      for (gpu::GPUFuncOp phase : split->phases)
        if (failed(runPipeline(indices, phase)))
          return signalPassFailure();
    }
  }
};
} // namespace
