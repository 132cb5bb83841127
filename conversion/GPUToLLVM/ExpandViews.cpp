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
#define GEN_PASS_DEF_EXPANDVIEWS
#include "conversion/GPUToLLVM/Passes.h.inc"

namespace {
/// One of upstream's passes, and what it has patterns for.
struct Expansion {
  bool (*expands)(Operation *);
  std::unique_ptr<Pass> (*create)();
};
} // namespace

/// In the order in which they run: what one leaves is for the next.
static constexpr Expansion kExpansions[] = {
    {[](Operation *op) {
       return isa<affine::AffineDelinearizeIndexOp,
                  affine::AffineLinearizeIndexOp>(op);
     },
     affine::createAffineExpandIndexOpsPass},
    {[](Operation *op) {
       return isa<VectorTransferOpInterface, vector::PrintOp>(op);
     },
     [] { return createConvertVectorToSCFPass(); }},
    {[](Operation *op) {
       return isa<memref::SubViewOp, memref::ExpandShapeOp,
                  memref::CollapseShapeOp, memref::ExtractStridedMetadataOp,
                  memref::ExtractAlignedPointerAsIndexOp>(op);
     },
     memref::createExpandStridedMetadataPass},
};

namespace {
struct ExpandViews : impl::ExpandViewsBase<ExpandViews> {
  void getDependentDialects(DialectRegistry &registry) const override {
    for (const Expansion &expansion : kExpansions)
      expansion.create()->getDependentDialects(registry);
  }

  void runOnOperation() override {
    bool isChanged = false;
    for (const Expansion &expansion : kExpansions) {
      if (!isNeeded(expansion))
        continue;
      OpPassManager pass(gpu::GPUModuleOp::getOperationName());
      pass.addPass(expansion.create());
      if (failed(runPipeline(pass, getOperation())))
        return signalPassFailure();
      isChanged = true;
    }
    if (!isChanged)
      markAllAnalysesPreserved();
  }

  bool isNeeded(const Expansion &expansion) {
    return getOperation()
        .walk([&](Operation *op) {
          return expansion.expands(op) ? WalkResult::interrupt()
                                       : WalkResult::advance();
        })
        .wasInterrupted();
  }
};
} // namespace
} // namespace gpuopt
