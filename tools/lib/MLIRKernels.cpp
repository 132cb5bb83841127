//===- MLIRKernels.cpp - kernels in MLIR modules --------------------------===//

#include "tools/lib/MLIRKernels.h"

#include "dialects/GPUOpt/GPUOptAttrs.h"
#include "tools/lib/Steps.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace gpuopt;

bool gpuopt::isKernel(FunctionOpInterface function) {
  if (auto gpuFunction = dyn_cast<gpu::GPUFuncOp>(function.getOperation()))
    return gpuFunction.isKernel();
  return isa<LLVM::LLVMFuncOp>(function.getOperation()) &&
         function->hasAttr(gpu::GPUDialect::getKernelFuncAttrName());
}

/// The scalar kind that `type` stands for; signless integers read as signed.
static ElementType elementType(Type type) {
  ElementType element;
  if (auto vector = dyn_cast<VectorType>(type)) {
    element = elementType(vector.getElementType());
    element.lanes *= vector.getNumElements();
    return element;
  }
  if (type.isIndex())
    return {ElementKind::SignedInt, 8, 1};
  if (!type.isIntOrFloat())
    return element;
  element.bytes = llvm::divideCeil(type.getIntOrFloatBitWidth(), 8);
  if (type.isBF16())
    element.kind = ElementKind::BFloat;
  else if (isa<FloatType>(type))
    element.kind = ElementKind::Float;
  else
    element.kind = type.isUnsignedInteger() ? ElementKind::UnsignedInt
                                            : ElementKind::SignedInt;
  return element;
}

static KernelParameter parameterOf(FunctionOpInterface function,
                                   unsigned index) {
  KernelParameter parameter;
  Type type = function.getArgumentTypes()[index];
  auto name = function.getArgAttrOfType<StringAttr>(index, kNameAttrName);
  parameter.name = name ? name.str() : "arg" + std::to_string(index);
  llvm::raw_string_ostream(parameter.typeName) << type;
  parameter.isRestrict =
      function.getArgAttr(index, LLVM::LLVMDialect::getNoAliasAttrName()) !=
      nullptr;
  parameter.pointeeIsConst =
      function.getArgAttr(index, LLVM::LLVMDialect::getReadonlyAttrName()) !=
      nullptr;
  auto memref = dyn_cast<MemRefType>(type);
  parameter.isPointer = memref || isa<LLVM::LLVMPointerType>(type);
  if (memref)
    parameter.element = elementType(memref.getElementType());
  else if (!parameter.isPointer)
    parameter.element = elementType(type);
  parameter.bytes = parameter.isPointer ? 8 : parameter.element.bytes;
  return parameter;
}

std::vector<KernelInfo> gpuopt::collectKernels(ModuleOp module) {
  std::vector<KernelInfo> kernels;
  module.walk([&](FunctionOpInterface function) {
    if (!isKernel(function))
      return;
    KernelInfo kernel;
    kernel.symbol = function.getName().str();
    auto name = function->getAttrOfType<StringAttr>(kSourceNameAttrName);
    kernel.name = kernel.displayName = name ? name.str() : kernel.symbol;
    kernel.position = sourcePosition(function.getLoc());
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      kernel.parameters.push_back(parameterOf(function, i));
    kernels.push_back(std::move(kernel));
  });
  return kernels;
}

LogicalResult gpuopt::prepareMLIRInput(ModuleOp module) { return success(); }
