//===- UnrollAndJam.cpp - reuse loads among iterations of an outer loop ---===//

#include "passes/Transforms/Jam/JamLegality.h"
#include "passes/Transforms/Jam/JamNest.h"
#include "passes/Transforms/Jam/JamRewrite.h"
#include "passes/Transforms/Passes.h"
#include "passes/Transforms/Utils/Kernels.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace gpuopt {
#define GEN_PASS_DEF_UNROLLANDJAM
#include "passes/Transforms/Passes.h.inc"
} // namespace gpuopt

using namespace mlir;
using namespace gpuopt;

namespace {
struct UnrollAndJam : public gpuopt::impl::UnrollAndJamBase<UnrollAndJam> {
  using UnrollAndJamBase::UnrollAndJamBase;

  void runOnOperation() override {
    FailureOr<TargetAttr> machine = resolveTarget(getOperation(), target);
    if (failed(machine))
      return signalPassFailure();
    for (gpu::GPUFuncOp kernel : collectKernels(getOperation())) {
      SmallVector<affine::AffineForOp> loops;
      kernel.walk([&](affine::AffineForOp loop) { loops.push_back(loop); });
      for (affine::AffineForOp loop : loops)
        if (std::optional<JamNest> nest = findNest(loop))
          jam(kernel, *nest, *machine);
    }
  }

private:
  void jam(gpu::GPUFuncOp kernel, JamNest &nest, TargetAttr machine);
};
} // namespace

void UnrollAndJam::jam(gpu::GPUFuncOp kernel, JamNest &nest,
                       TargetAttr machine) {
  Location loc = nest.outer.getLoc();
  std::string reason = planNest(nest, factor, machine);
  if (reason.empty())
    reason = whyDependent(kernel, nest);
  if (!reason.empty()) {
    sayMissed(RemarkCode::IterationsNotJammed, kernel, Refusal{loc, reason});
    return;
  }
  bool isTriangular = nest.lower.shift != 0 || nest.upper.shift != 0;
  unsigned forwarded = jamNest(kernel, nest, maxOperations);
  sayPassed(RemarkCode::IterationsJammed, kernel, loc,
            {{"iterations", nest.factor},
             {"loads", nest.sharedLoads},
             {"rest",
              isTriangular ? ", the triangle behind it is done in order" : ""}})
      << remark::metric("loads_forwarded", static_cast<int>(forwarded));
  ++jammed;
}
