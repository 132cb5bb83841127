//===- LowerRolledLoops.cpp - loops that LLVM is to leave alone -----------===//

#include "conversion/GPUToLLVM/Passes.h"

#include "dialects/GPUOpt/GPUOptAttrs.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;

namespace gpuopt {
#define GEN_PASS_DEF_LOWERROLLEDLOOPS
#include "conversion/GPUToLLVM/Passes.h.inc"

static LLVM::LoopAnnotationAttr annotation(MLIRContext *context) {
  auto unroll = LLVM::LoopUnrollAttr::get(context, BoolAttr::get(context, true),
                                          {}, {}, {}, {}, {}, {});
  return LLVM::LoopAnnotationAttr::get(context, {}, {}, {}, unroll, {}, {}, {},
                                       {}, {}, {}, {}, {}, {}, {}, {});
}

namespace {
/// Upstream's conversion drops the attributes of a loop.
struct RolledLoop : OpRewritePattern<affine::AffineForOp> {
  explicit RolledLoop(MLIRContext *context)
      : OpRewritePattern(context, /*benefit=*/2) {}

  LogicalResult matchAndRewrite(affine::AffineForOp op,
                                PatternRewriter &rewriter) const override {
    if (!op->hasAttr(kRolledAttrName))
      return failure();
    Location loc = op.getLoc();
    auto loop = scf::ForOp::create(
        rewriter, loc, lowerAffineLowerBound(op, rewriter),
        lowerAffineUpperBound(op, rewriter),
        arith::ConstantIndexOp::create(rewriter, loc, op.getStepAsInt()),
        op.getInits());
    loop->setAttr("loop_annotation", annotation(op.getContext()));
    rewriter.eraseBlock(loop.getBody());
    rewriter.inlineRegionBefore(op.getRegion(), loop.getRegion(),
                                loop.getRegion().end());
    rewriter.replaceOp(op, loop.getResults());
    return success();
  }
};

/// The products that promise not to wrap.
static llvm::DenseSet<Operation *> findPromises(Operation *op) {
  llvm::DenseSet<Operation *> promises;
  op->walk([&](arith::MulIOp product) {
    if (product.getOverflowFlags() != arith::IntegerOverflowFlags::none)
      promises.insert(product);
  });
  return promises;
}

bool hasAffine(Operation *op) {
  return op
      ->walk([](Operation *inner) {
        return isa<affine::AffineDialect>(inner->getDialect())
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

struct LowerRolledLoops : impl::LowerRolledLoopsBase<LowerRolledLoops> {
  void runOnOperation() override {
    if (!hasAffine(getOperation()))
      return markAllAnalysesPreserved();
    RewritePatternSet patterns(&getContext());
    populateAffineToStdConversionPatterns(patterns);
    populateAffineToVectorConversionPatterns(patterns);
    patterns.add<RolledLoop>(&getContext());
    llvm::DenseSet<Operation *> promised = findPromises(getOperation());
    ConversionTarget target(getContext());
    target.addLegalDialect<arith::ArithDialect, memref::MemRefDialect,
                           scf::SCFDialect, vector::VectorDialect>();
    if (failed(applyPartialConversion(getOperation(), target,
                                      std::move(patterns))))
      return signalPassFailure();
    for (Operation *product : findPromises(getOperation()))
      if (!promised.contains(product))
        cast<arith::MulIOp>(product).setOverflowFlags(
            arith::IntegerOverflowFlags::none);
  }
};
} // namespace
} // namespace gpuopt
