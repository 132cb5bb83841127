//===- MLIRLimits.cpp - what MLIR input cannot hold -----------------------===//

#include "tools/lib/compile/MLIRLimits.h"

#include "conversion/ImportSource/LibraryFunctions.h"
#include "tools/lib/compile/MLIRKernels.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace gpuopt;

/// A kernel gives nothing back to its launch.
LogicalResult gpuopt::checkParallelLoops(ModuleOp module) {
  WalkResult result = module.walk([](Operation *op) {
    if (!isa<scf::ParallelOp, affine::AffineParallelOp>(op) ||
        op->getNumResults() == 0)
      return WalkResult::advance();
    for (Operation *outer = op->getParentOp(); outer;
         outer = outer->getParentOp())
      if (isa<scf::ParallelOp, affine::AffineParallelOp, gpu::LaunchOp,
              gpu::GPUModuleOp>(outer))
        return WalkResult::advance();
    emitError(op->getLoc(),
              "a parallel loop with a result cannot become a kernel: put it "
              "in a parallel loop that stores the result");
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

/// What every back end takes for the name of a kernel.
static bool isSymbol(StringRef name) {
  return !name.empty() && !llvm::isDigit(name.front()) &&
         llvm::all_of(name, [](char c) {
           return llvm::isAlnum(c) || c == '_' || c == '$' || c == '.';
         });
}

/// True for what arrays may consist of: numbers that lie in memory as LLVM has
/// them, in rows without gaps, and vectors and pairs of them.
static bool isElement(Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    return isElement(vector.getElementType());
  if (auto complex = dyn_cast<ComplexType>(type))
    return isElement(complex.getElementType());
  if (isa<FloatTF32Type, Float80Type>(type))
    return false;
  if (type.isIntOrFloat())
    return llvm::isPowerOf2_32(type.getIntOrFloatBitWidth());
  return isa<IndexType, LLVM::LLVMPointerType>(type);
}

static LogicalResult checkKernel(FunctionOpInterface kernel) {
  if (!isSymbol(kernel.getName()))
    return emitError(kernel.getLoc(), "'")
           << kernel.getName()
           << "' cannot be the name of a kernel: expected letters, digits and "
              "underscores";
  for (Type type : kernel.getArgumentTypes())
    if (auto array = dyn_cast<MemRefType>(type);
        array && !isElement(array.getElementType()))
      return emitError(kernel.getLoc(), "a kernel cannot have an array of ")
             << array.getElementType() << " as its parameter";
  return success();
}

/// True for a function that a device's library or a back end defines.
static bool isDefinedLater(StringRef name) {
  return isLibraryFunction(name) || name.starts_with("llvm.") ||
         name.starts_with("__ocml_") || name.starts_with("__ockl_") ||
         name == "__assertfail";
}

static LogicalResult checkCall(CallOpInterface call,
                               SymbolTableCollection &symbols) {
  auto symbol = dyn_cast_if_present<SymbolRefAttr>(call.getCallableForCallee());
  if (!symbol)
    return success();
  auto callee = dyn_cast_if_present<FunctionOpInterface>(
      symbols.lookupNearestSymbolFrom(call, symbol));
  StringRef name = symbol.getLeafReference().getValue();
  if (callee && !callee.isExternal())
    return success();
  // Upstream writes a call of another name for a `func.func` without a body.
  if (callee && isa<LLVM::LLVMFuncOp>(callee.getOperation()) &&
      isDefinedLater(name))
    return success();
  return emitError(call->getLoc(), "'")
         << name << "' has no body that a kernel can call";
}

LogicalResult gpuopt::checkKernelModules(ModuleOp module) {
  SymbolTableCollection symbols;
  WalkResult result = module.walk([&](Operation *op) {
    if (auto function = dyn_cast<FunctionOpInterface>(op);
        function && isKernel(function))
      return WalkResult(checkKernel(function));
    auto call = dyn_cast<CallOpInterface>(op);
    if (!call || !op->getParentOfType<gpu::GPUModuleOp>())
      return WalkResult::advance();
    return WalkResult(checkCall(call, symbols));
  });
  return failure(result.wasInterrupted());
}
