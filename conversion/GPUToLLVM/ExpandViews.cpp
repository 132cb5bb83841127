//===- ExpandViews.cpp - what the conversions to LLVM do not take ---------===//
//
// Upstream's passes for it look at every operation and simplify every region;
// kernels from CUDA have little or nothing for them to do.
//
//===----------------------------------------------------------------------===//

#include "conversion/GPUToLLVM/Passes.h"

#include "mlir/Conversion/VectorToSCF/VectorToSCF.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/Transforms/Passes.h"
#include "mlir/Dialect/Affine/Transforms/Transforms.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/VectorInterfaces.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace gpuopt {
#define GEN_PASS_DEF_EXPANDVIEWS
#include "conversion/GPUToLLVM/Passes.h.inc"

namespace {
/// One of upstream's passes, and what it has patterns for.
struct Expansion {
  bool (*expands)(Operation *);
  std::unique_ptr<Pass> (*create)();
  /// Its patterns, where it does nothing but rewrite by them.
  void (*populate)(RewritePatternSet &) = nullptr;
};
} // namespace

/// In the order in which they run: what one leaves is for the next.
static constexpr Expansion kExpansions[] = {
    {[](Operation *op) {
       return isa<affine::AffineDelinearizeIndexOp,
                  affine::AffineLinearizeIndexOp>(op);
     },
     affine::createAffineExpandIndexOpsPass,
     affine::populateAffineExpandIndexOpsPatterns},
    {[](Operation *op) {
       return isa<VectorTransferOpInterface, vector::PrintOp>(op);
     },
     [] { return createConvertVectorToSCFPass(); }},
    {[](Operation *op) {
       return isa<memref::SubViewOp, memref::ExpandShapeOp,
                  memref::CollapseShapeOp, memref::ExtractStridedMetadataOp,
                  memref::ExtractAlignedPointerAsIndexOp>(op);
     },
     memref::createExpandStridedMetadataPass,
     memref::populateExpandStridedMetadataPatterns},
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
      SmallVector<Operation *> expanded;
      getOperation().walk([&](Operation *op) {
        if (expansion.expands(op))
          expanded.push_back(op);
      });
      if (expanded.empty())
        continue;
      if (failed(expand(expansion, expanded)))
        return signalPassFailure();
      isChanged = true;
    }
    if (!isChanged)
      markAllAnalysesPreserved();
  }

  LogicalResult expand(const Expansion &expansion, ArrayRef<Operation *> ops) {
    if (expansion.populate) {
      RewritePatternSet patterns(&getContext());
      expansion.populate(patterns);
      // What no pattern takes is the conversion's, as behind upstream's pass.
      (void)applyOpPatternsGreedily(ops, std::move(patterns));
      return success();
    }
    OpPassManager pass(gpu::GPUModuleOp::getOperationName());
    pass.addPass(expansion.create());
    return runPipeline(pass, getOperation());
  }
};
} // namespace
} // namespace gpuopt
