//===- DynamicMemory.h - more than arrays may be declared with --*- C++ -*-===//
//
// NVIDIA's assembler takes 48 KiB in arrays of fixed sizes, while a block may
// have several times as much where the launch says how many. A kernel whose
// workgroup arrays need more has them one behind the other in memory of the
// launch's, each from a multiple of 1024 bytes on: the pattern of the largest
// swizzle, which the place of a byte decides.
//
//===----------------------------------------------------------------------===//

#ifndef DIALECTS_GPUOPT_DYNAMICMEMORY_H
#define DIALECTS_GPUOPT_DYNAMICMEMORY_H

#include "dialects/GPUOpt/GPUOptAttrs.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"

namespace gpuopt {

/// What arrays in workgroup memory begin at a multiple of, where it matters.
inline constexpr int64_t kDynamicAlignment = 1024;

/// Bytes of workgroup memory that arrays of fixed sizes may take for `target`.
inline int64_t mostDeclaredBytes(TargetAttr target) {
  constexpr int64_t nvidiaDeclaredBytes = 48 * 1024;
  int64_t limit = target.getWorkgroupMemoryPerWorkgroupBytes();
  return target.getVendor() == Vendor::NVIDIA
             ? std::min(limit, nvidiaDeclaredBytes)
             : limit;
}

/// Bytes of the array `type`; 0 where they are not known.
inline int64_t bytesOfArray(mlir::MemRefType type,
                            const mlir::DataLayout &layout) {
  return type.hasStaticShape()
             ? type.getNumElements() *
                   int64_t(layout.getTypeSize(type.getElementType()))
             : 0;
}

/// Bytes of workgroup memory that a launch of `kernel` has to ask for, where no
/// more than `mostBytes` can be declared; 0 where these do.
inline int64_t dynamicBytesOf(mlir::gpu::GPUFuncOp kernel, int64_t mostBytes) {
  mlir::DataLayout layout = mlir::DataLayout::closest(kernel);
  int64_t declared = 0, placed = 0;
  for (mlir::BlockArgument array : kernel.getWorkgroupAttributions()) {
    int64_t bytes =
        bytesOfArray(mlir::cast<mlir::MemRefType>(array.getType()), layout);
    declared += bytes;
    placed += llvm::alignTo(bytes, kDynamicAlignment);
  }
  return declared > mostBytes ? placed : 0;
}

} // namespace gpuopt

#endif // DIALECTS_GPUOPT_DYNAMICMEMORY_H
