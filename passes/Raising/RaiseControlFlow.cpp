//===- RaiseControlFlow.cpp
//------------------------------------------------===//

#include "passes/Raising/Passes.h"

namespace gpuopt {
#define GEN_PASS_DEF_RAISECONTROLFLOW
#include "passes/Raising/Passes.h.inc"

namespace {
class RaiseControlFlowPass
    : public impl::RaiseControlFlowBase<RaiseControlFlowPass> {
  void runOnOperation() override {}
};
} // namespace
} // namespace gpuopt
