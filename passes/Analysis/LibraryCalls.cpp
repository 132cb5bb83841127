//===- LibraryCalls.cpp - calls of functions of numbers -------------------===//

#include "passes/Analysis/LibraryCalls.h"

#include "passes/Analysis/VendorArithmetic.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace gpuopt;

bool gpuopt::callsLibrary(Operation *op) {
  auto call = dyn_cast<LLVM::CallOp>(op);
  if (!call || !call.getCallee() || call.getCallee()->starts_with("__gpuopt_"))
    return false;
  // A failed assertion tells which thread of which block it was.
  if (*call.getCallee() == "__assertfail")
    return false;
  auto callee = SymbolTable::lookupNearestSymbolFrom<LLVM::LLVMFuncOp>(
      op, call.getCalleeAttr());
  return callee && callee.isExternal();
}

bool gpuopt::callsFunctionOfNumbers(Operation *op) {
  auto isPointer = [](Type type) { return isa<LLVM::LLVMPointerType>(type); };
  return isVendorArithmetic(op) ||
         (callsLibrary(op) && llvm::none_of(op->getOperandTypes(), isPointer) &&
          llvm::none_of(op->getResultTypes(), isPointer));
}
