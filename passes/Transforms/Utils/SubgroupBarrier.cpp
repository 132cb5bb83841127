//===- SubgroupBarrier.cpp - barriers among the lanes ---------------------===//

#include "passes/Transforms/Utils/SubgroupBarrier.h"

#include "passes/Analysis/SubgroupExchange.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace gpuopt;

static LLVM::LLVMFuncOp declareIn(gpu::GPUModuleOp module) {
  if (auto known = module.lookupSymbol<LLVM::LLVMFuncOp>(kSubgroupBarrier))
    return known;
  auto builder = OpBuilder::atBlockEnd(module.getBody());
  auto type = LLVM::LLVMFunctionType::get(
      LLVM::LLVMVoidType::get(builder.getContext()), {builder.getI64Type()});
  // A declaration has no place: that of an operation in a kernel is part of the
  // kernel.
  auto callee = LLVM::LLVMFuncOp::create(builder, builder.getUnknownLoc(),
                                         kSubgroupBarrier, type);
  callee.setConvergent(true);
  callee.setNoUnwind(true);
  callee.setWillReturn(true);
  return callee;
}

Operation *gpuopt::createSubgroupBarrier(OpBuilder &builder, Location loc) {
  Operation *parent = builder.getInsertionBlock()->getParentOp();
  LLVM::LLVMFuncOp callee =
      declareIn(parent->getParentOfType<gpu::GPUModuleOp>());
  Value all = arith::ConstantIntOp::create(builder, loc, -1, 64);
  return LLVM::CallOp::create(builder, loc, callee, all);
}
