//===- SliceAccesses.cpp - the memory accesses of kernels alone -----------===//

#include "passes/Analysis/Remarks.h"
#include "passes/Assist/AccessSlice.h"
#include "passes/Assist/Passes.h"
#include "passes/Transforms/Utils/Kernels.h"

#include "mlir/Pass/PassManager.h"

namespace gpuopt {
#define GEN_PASS_DEF_SLICEACCESSES
#include "passes/Assist/Passes.h.inc"
} // namespace gpuopt

using namespace mlir;
using namespace gpuopt;

namespace {
struct SliceAccesses : public gpuopt::impl::SliceAccessesBase<SliceAccesses> {
  using SliceAccessesBase::SliceAccessesBase;

  void runOnOperation() override {
    OpPassManager cleaning(gpu::GPUFuncOp::getOperationName());
    addCleanUp(cleaning);
    auto cleanUp = [&](gpu::GPUFuncOp function) {
      return runPipeline(cleaning, function);
    };
    for (gpu::GPUFuncOp kernel : collectKernels(getOperation()))
      if (failed(replaceBySlice(kernel, cleanUp)))
        return signalPassFailure();
  }

private:
  LogicalResult replaceBySlice(gpu::GPUFuncOp kernel, CleanUp cleanUp) {
    FailureOr<AccessSlice> slice = sliceAccesses(kernel, cleanUp);
    if (failed(slice))
      return failure();
    if (!slice->function) {
      sayMissed(RemarkCode::AccessesNotSliced, kernel, slice->obstacle);
      return success();
    }
    sayPassed(RemarkCode::AccessesSliced, kernel, kernel.getLoc(),
              {{"accesses", slice->prefetches}, {"loads", slice->loads}});
    StringAttr name = kernel.getNameAttr();
    kernel.erase();
    slice->function.setName(name);
    ++sliced;
    return success();
  }
};
} // namespace
