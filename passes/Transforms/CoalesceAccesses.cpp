//===- CoalesceAccesses.cpp - coalesce through workgroup memory ---===//

#include "passes/Transforms/Passes.h"

namespace gpuopt {
#define GEN_PASS_DEF_COALESCEACCESSESPASS
#include "passes/Transforms/Passes.h.inc"
} // namespace gpuopt

using namespace mlir;
using namespace gpuopt;

namespace {
struct CoalesceAccesses : public gpuopt::impl::CoalesceAccessesPassBase<CoalesceAccesses> {
  using CoalesceAccessesPassBase::CoalesceAccessesPassBase;
  void runOnOperation() override {}
};
} // namespace
