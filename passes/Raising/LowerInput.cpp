//===- LowerInput.cpp - what MLIR input may hold that no pass takes -------===//

#include "passes/Raising/Passes.h"

#include "mlir/Conversion/VectorToSCF/VectorToSCF.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Dialect/Vector/Transforms/VectorRewritePatterns.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace gpuopt {
#define GEN_PASS_DEF_LOWERINPUT
#include "passes/Raising/Passes.h.inc"
} // namespace gpuopt

using namespace mlir;

namespace {
struct LowerInputPass : gpuopt::impl::LowerInputBase<LowerInputPass> {
  using Base::Base;
  void runOnOperation() override;
};
} // namespace

/// Operations that LLVM's conversion takes as they are, and those that the
/// passes know.
static bool isSimple(Operation *op) {
  return isa<vector::LoadOp, vector::StoreOp, vector::BroadcastOp,
             vector::ExtractOp, vector::InsertOp, vector::FMAOp,
             vector::ReductionOp, vector::ShuffleOp>(op);
}

/// Transfers of several dimensions become loops over transfers of one, which
/// become loads and stores. A transfer that may reach over an end gets a mask.
static LogicalResult lowerVectors(gpu::GPUModuleOp module) {
  MLIRContext *context = module.getContext();
  RewritePatternSet loops(context);
  VectorTransferToSCFOptions options;
  options.enableFullUnroll();
  populateVectorToSCFConversionPatterns(loops, options);
  if (failed(applyPatternsGreedily(module, std::move(loops))))
    return failure();

  using namespace vector;
  RewritePatternSet patterns(context);
  populateVectorToVectorCanonicalizationPatterns(patterns);
  populateVectorBitCastLoweringPatterns(patterns);
  populateVectorBroadcastLoweringPatterns(patterns);
  populateVectorContractLoweringPatterns(patterns,
                                         VectorContractLowering::OuterProduct);
  populateVectorOuterProductLoweringPatterns(patterns);
  populateVectorMultiReductionLoweringPatterns(
      patterns, VectorMultiReductionLowering::InnerParallel);
  populateVectorMaskOpLoweringPatterns(patterns);
  populateVectorShapeCastLoweringPatterns(patterns);
  populateVectorInterleaveLoweringPatterns(patterns);
  populateVectorTransposeLoweringPatterns(patterns,
                                          VectorTransposeLowering::EltWise);
  populateVectorTransferLoweringPatterns(patterns, /*maxTransferRank=*/1);
  populateVectorMaskMaterializationPatterns(patterns,
                                            /*force32BitVectorIndices=*/false);
  populateVectorInsertExtractStridedSliceTransforms(patterns);
  populateVectorStepLoweringPatterns(patterns);
  populateVectorRankReducingFMAPattern(patterns);
  populateVectorGatherLoweringPatterns(patterns);
  populateVectorScanLoweringPatterns(patterns);
  return applyPatternsGreedily(module, std::move(patterns));
}

/// Calls the function that a trap of CUDA C++ calls, too.
static void lowerAssertion(cf::AssertOp assertion, gpu::GPUModuleOp module) {
  constexpr StringRef name = "__gpuopt_trap";
  OpBuilder builder(assertion);
  Location loc = assertion.getLoc();
  if (!module.lookupSymbol(name)) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(module.getBody());
    LLVM::LLVMFuncOp::create(
        builder, loc, name,
        LLVM::LLVMFunctionType::get(
            LLVM::LLVMVoidType::get(builder.getContext()), {}));
  }
  Value one = arith::ConstantIntOp::create(builder, loc, 1, 1);
  Value fails = arith::XOrIOp::create(builder, loc, assertion.getArg(), one);
  auto branch = scf::IfOp::create(builder, loc, fails, /*else=*/false);
  OpBuilder inside = branch.getThenBodyBuilder();
  LLVM::CallOp::create(inside, loc, TypeRange(), name, ValueRange());
  assertion.erase();
}

void LowerInputPass::runOnOperation() {
  bool hasVectors = false;
  SmallVector<cf::AssertOp> assertions;
  getOperation().walk([&](Operation *op) {
    hasVectors |= isa<vector::VectorDialect>(op->getDialect()) && !isSimple(op);
    if (auto assertion = dyn_cast<cf::AssertOp>(op))
      assertions.push_back(assertion);
  });
  if (hasVectors && failed(lowerVectors(getOperation())))
    return signalPassFailure();
  for (cf::AssertOp assertion : assertions)
    lowerAssertion(assertion, getOperation());
}
