//===- RaiseMemory.cpp ------------------------------------------------===//

#include "passes/Raising/Passes.h"

namespace gpuopt {
#define GEN_PASS_DEF_RAISEMEMORY
#include "passes/Raising/Passes.h.inc"

namespace {
class RaiseMemoryPass : public impl::RaiseMemoryBase<RaiseMemoryPass> {
  void runOnOperation() override {}
};
} // namespace
} // namespace gpuopt
