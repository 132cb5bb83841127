//===- WorkgroupMemory.h - how much of it a kernel declares -----*- C++ -*-===//

#ifndef PASSES_TRANSFORMS_UTILS_WORKGROUPMEMORY_H
#define PASSES_TRANSFORMS_UTILS_WORKGROUPMEMORY_H

#include "dialects/GPUOpt/GPUOptAttrs.h"
#include "passes/Analysis/Remarks.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

#include <optional>

namespace gpuopt {

/// Bytes of the statically sized memref type `type`.
int64_t staticBytes(mlir::Type type);

/// Bytes of all workgroup arrays of `kernel`.
int64_t workgroupBytes(mlir::gpu::GPUFuncOp kernel);

/// Bytes of workgroup memory that a block may declare for `target`.
int64_t staticWorkgroupLimit(TargetAttr target);

/// Checks that a block of `kernel` may declare `bytes` of workgroup memory.
std::optional<Refusal> checkWorkgroupBytes(mlir::gpu::GPUFuncOp kernel,
                                           int64_t bytes, TargetAttr target);

/// Erases the workgroup arrays of `kernel` that nothing uses.
void eraseUnusedWorkgroupArrays(mlir::gpu::GPUFuncOp kernel);

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_UTILS_WORKGROUPMEMORY_H
