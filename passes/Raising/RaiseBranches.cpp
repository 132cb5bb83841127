//===- RaiseBranches.cpp - terminators of the LLVM dialect to cf ----------===//
//
// What is annotated on a branch back to a loop's header (`#pragma unroll`)
// stays on the `cf` operation as `loop_annotation`, for the loop that the
// branch becomes part of. Branch weights are dropped.
//
//===----------------------------------------------------------------------===//

#include "passes/Raising/RaiseOperations.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;

namespace {

/// Keeps an annotation that asks for something.
void copyLoopAnnotation(std::optional<LLVM::LoopAnnotationAttr> annotation,
                        Operation *to) {
  if (annotation && annotation->getUnroll())
    to->setAttr("loop_annotation", *annotation);
}

struct RaiseBranch : OpRewritePattern<LLVM::BrOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(LLVM::BrOp op,
                                PatternRewriter &rewriter) const override {
    auto annotation = op.getLoopAnnotation();
    auto branch = rewriter.replaceOpWithNewOp<cf::BranchOp>(
        op, op.getDestOperands(), op.getDest());
    copyLoopAnnotation(annotation, branch);
    return success();
  }
};

struct RaiseConditionalBranch : OpRewritePattern<LLVM::CondBrOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(LLVM::CondBrOp op,
                                PatternRewriter &rewriter) const override {
    auto annotation = op.getLoopAnnotation();
    auto branch = rewriter.replaceOpWithNewOp<cf::CondBranchOp>(
        op, op.getCondition(), op.getTrueDest(), op.getTrueDestOperands(),
        op.getFalseDest(), op.getFalseDestOperands());
    copyLoopAnnotation(annotation, branch);
    return success();
  }
};

struct RaiseSwitch : OpRewritePattern<LLVM::SwitchOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(LLVM::SwitchOp op,
                                PatternRewriter &rewriter) const override {
    SmallVector<ValueRange> caseOperands;
    for (OperandRange operands : op.getCaseOperands())
      caseOperands.push_back(operands);
    rewriter.replaceOpWithNewOp<cf::SwitchOp>(
        op, op.getValue(), op.getDefaultDestination(), op.getDefaultOperands(),
        op.getCaseValuesAttr(), op.getCaseDestinations(), caseOperands);
    return success();
  }
};

/// Execution never gets to an `llvm.unreachable`: returning there is as good.
template <typename From>
struct RaiseReturn : OpRewritePattern<From> {
  using OpRewritePattern<From>::OpRewritePattern;
  LogicalResult matchAndRewrite(From op,
                                PatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<gpu::ReturnOp>(op);
    return success();
  }
};

} // namespace

void gpuopt::populateRaiseBranchPatterns(RewritePatternSet &patterns) {
  patterns.add<RaiseBranch, RaiseConditionalBranch, RaiseReturn<LLVM::ReturnOp>,
               RaiseReturn<LLVM::UnreachableOp>, RaiseSwitch>(
      patterns.getContext());
}
