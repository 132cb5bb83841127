//===- RaiseFunctions.cpp ------------------------------------------------===//

#include "passes/Raising/Passes.h"

namespace gpuopt {
#define GEN_PASS_DEF_RAISEFUNCTIONS
#include "passes/Raising/Passes.h.inc"

namespace {
class RaiseFunctionsPass : public impl::RaiseFunctionsBase<RaiseFunctionsPass> {
  void runOnOperation() override {}
};
} // namespace
} // namespace gpuopt
