//===- SubgroupExchange.cpp - values between lanes of a subgroup ----------===//

#include "passes/Analysis/SubgroupExchange.h"

#include "passes/Analysis/LibraryCalls.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace gpuopt;

bool gpuopt::isSubgroupExchange(Operation *op) {
  if (isa<gpu::ShuffleOp, NVVM::ShflOp, NVVM::VoteSyncOp>(op))
    return true;
  auto call = dyn_cast<LLVM::CallOp>(op);
  StringRef callee = call ? call.getCallee().value_or("") : StringRef();
  // See DeviceFunctions.def.
  return callee.starts_with("__gpuopt_shuffle_") || callee == "__gpuopt_ballot";
}

bool gpuopt::isSubgroupBarrier(Operation *op) {
  auto call = dyn_cast<LLVM::CallOp>(op);
  return call && call.getCallee() == kSubgroupBarrier;
}

bool gpuopt::touchesNoMemory(Operation *op) {
  return isSubgroupExchange(op) || callsFunctionOfNumbers(op);
}
