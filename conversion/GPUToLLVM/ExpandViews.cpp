//===- ExpandViews.cpp - what the conversions to LLVM do not take ---------===//
//
// Upstream's three passes for it look at every operation and simplify every
// region; kernels from CUDA have nothing for them to do.
//
//===----------------------------------------------------------------------===//

#include "conversion/GPUToLLVM/Passes.h"

#include "mlir/Conversion/VectorToSCF/VectorToSCF.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/Transforms/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/VectorInterfaces.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;

namespace gpuopt {
#define GEN_PASS_DEF_EXPANDVIEWSPASS
#include "conversion/GPUToLLVM/Passes.h.inc"

/// Whether one of the passes below has a pattern for `op`.
static bool isExpanded(Operation *op) {
  return isa<affine::AffineDelinearizeIndexOp, affine::AffineLinearizeIndexOp,
             memref::SubViewOp, memref::ExpandShapeOp, memref::CollapseShapeOp,
             memref::ExtractStridedMetadataOp,
             memref::ExtractAlignedPointerAsIndexOp, VectorTransferOpInterface,
             vector::PrintOp>(op);
}

static OpPassManager upstreamPasses() {
  OpPassManager passes(gpu::GPUModuleOp::getOperationName());
  passes.addPass(affine::createAffineExpandIndexOpsPass());
  passes.addPass(createConvertVectorToSCFPass());
  passes.addPass(memref::createExpandStridedMetadataPass());
  return passes;
}

namespace {
struct ExpandViewsPass : impl::ExpandViewsPassBase<ExpandViewsPass> {
  void getDependentDialects(DialectRegistry &registry) const override {
    upstreamPasses().getDependentDialects(registry);
  }

  void runOnOperation() override {
    bool isNeeded = getOperation()
                        .walk([](Operation *op) {
                          return isExpanded(op) ? WalkResult::interrupt()
                                                : WalkResult::advance();
                        })
                        .wasInterrupted();
    if (!isNeeded)
      return markAllAnalysesPreserved();
    OpPassManager passes = upstreamPasses();
    if (failed(runPipeline(passes, getOperation())))
      signalPassFailure();
  }
};
} // namespace
} // namespace gpuopt
