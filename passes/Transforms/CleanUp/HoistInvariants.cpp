//===- HoistInvariants.cpp - compute once what all iterations share -------===//

#include "passes/Analysis/Speculation.h"
#include "passes/Transforms/Passes.h"

namespace gpuopt {
#define GEN_PASS_DEF_HOISTINVARIANTS
#include "passes/Transforms/Passes.h.inc"
} // namespace gpuopt

using namespace mlir;

namespace {
struct HoistInvariants
    : public gpuopt::impl::HoistInvariantsBase<HoistInvariants> {
  using HoistInvariantsBase::HoistInvariantsBase;

  void runOnOperation() override {
    // From the innermost loop out.
    getOperation()->walk([&](LoopLikeOpInterface loop) {
      hoisted += gpuopt::hoistInvariants(loop);
    });
  }
};
} // namespace
