//===- HoistInvariants.cpp - compute once what all iterations share -------===//

#include "passes/Analysis/Speculation.h"
#include "passes/Transforms/Passes.h"

namespace gpuopt {
#define GEN_PASS_DEF_HOISTINVARIANTSPASS
#include "passes/Transforms/Passes.h.inc"
} // namespace gpuopt

using namespace mlir;

namespace {
struct HoistInvariants
    : public gpuopt::impl::HoistInvariantsPassBase<HoistInvariants> {
  using HoistInvariantsPassBase::HoistInvariantsPassBase;

  void runOnOperation() override {
    // From the innermost loop out.
    getOperation()->walk([&](LoopLikeOpInterface loop) {
      hoisted += gpuopt::hoistInvariants(loop);
    });
  }
};
} // namespace
