//===- CallDeviceFunctions.cpp - gpuopt operations as calls ---------------===//

#include "conversion/GPUToLLVM/Passes.h"
#include "dialects/GPUOpt/GPUOptOps.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace gpuopt {
#define GEN_PASS_DEF_CALLDEVICEFUNCTIONS
#include "conversion/GPUToLLVM/Passes.h.inc"

namespace {

static constexpr llvm::StringLiteral gridBarrierName = "__gpuopt_global_sync";

struct CallDeviceFunctions
    : impl::CallDeviceFunctionsBase<CallDeviceFunctions> {
  using CallDeviceFunctionsBase::CallDeviceFunctionsBase;

  void runOnOperation() override {
    SmallVector<GridBarrierOp> barriers;
    getOperation().walk([&](GridBarrierOp op) { barriers.push_back(op); });
    if (barriers.empty())
      return;
    LLVM::LLVMFuncOp function = declare();
    for (GridBarrierOp barrier : barriers) {
      OpBuilder builder(barrier);
      LLVM::CallOp::create(builder, barrier.getLoc(), function, ValueRange());
      barrier.erase();
    }
  }

  LLVM::LLVMFuncOp declare() {
    gpu::GPUModuleOp module = getOperation();
    if (auto known = module.lookupSymbol<LLVM::LLVMFuncOp>(gridBarrierName))
      return known;
    auto builder = OpBuilder::atBlockBegin(module.getBody());
    auto type =
        LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(&getContext()), {});
    auto function = LLVM::LLVMFuncOp::create(builder, module.getLoc(),
                                             gridBarrierName, type);
    function.setConvergent(true);
    function.setNoUnwind(true);
    return function;
  }
};

} // namespace
} // namespace gpuopt
