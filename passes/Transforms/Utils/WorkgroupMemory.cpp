//===- WorkgroupMemory.cpp - how much of it a kernel declares -------------===//

#include "passes/Transforms/Utils/WorkgroupMemory.h"

#include "dialects/GPUOpt/DynamicMemory.h"

using namespace mlir;
using namespace gpuopt;

int64_t gpuopt::staticBytes(Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref || !memref.hasStaticShape())
    return 0;
  Type element = memref.getElementType();
  int64_t bits = 64;
  if (element.isIntOrFloat())
    bits = element.getIntOrFloatBitWidth();
  else if (auto vector = dyn_cast<VectorType>(element);
           vector && vector.getElementType().isIntOrFloat())
    bits = vector.getNumElements() * vector.getElementTypeBitWidth();
  return memref.getNumElements() * llvm::divideCeil(bits, 8);
}

int64_t gpuopt::workgroupBytes(gpu::GPUFuncOp kernel) {
  int64_t bytes = 0;
  for (Value array : kernel.getWorkgroupAttributions())
    bytes += staticBytes(array.getType());
  return bytes;
}

int64_t gpuopt::staticWorkgroupLimit(TargetAttr target) {
  return mostDeclaredBytes(target);
}

std::optional<Refusal> gpuopt::checkWorkgroupBytes(gpu::GPUFuncOp kernel,
                                                   int64_t bytes,
                                                   TargetAttr target) {
  int64_t limit = staticWorkgroupLimit(target);
  if (bytes <= limit)
    return std::nullopt;
  return Refusal{kernel.getLoc(),
                 "needs " + std::to_string(bytes) +
                     " bytes of workgroup memory, a block has " +
                     std::to_string(limit)};
}

void gpuopt::eraseUnusedWorkgroupArrays(gpu::GPUFuncOp kernel) {
  SmallVector<Attribute> attributes;
  if (ArrayAttr all = kernel.getWorkgroupAttribAttrsAttr())
    llvm::append_range(attributes, all);
  unsigned kept = kernel.getNumWorkgroupAttributions();
  unsigned first = kernel.getFirstWorkgroupAttributionIndex();
  for (unsigned i = kept; i-- > 0;) {
    if (!kernel.getBody().getArgument(first + i).use_empty())
      continue;
    kernel.getBody().eraseArgument(first + i);
    if (i < attributes.size())
      attributes.erase(attributes.begin() + i);
    --kept;
  }
  Builder builder(kernel.getContext());
  kernel->setAttr(kernel.getNumWorkgroupAttributionsAttrName(),
                  builder.getI64IntegerAttr(kept));
  if (kernel.getWorkgroupAttribAttrsAttr())
    kernel.setWorkgroupAttribAttrsAttr(builder.getArrayAttr(attributes));
}
