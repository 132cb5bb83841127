//===- Aliasing.h - what may write the memory that is read ------*- C++ -*-===//
//
// A load may be done earlier, and by another thread of the block, where nothing
// in the kernel can have written its memory before: other threads cannot have,
// as the source has no barrier that would order their stores before the load.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_TRANSFORMS_UTILS_ALIASING_H
#define PASSES_TRANSFORMS_UTILS_ALIASING_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace gpuopt {

/// Whether the arrays behind two memrefs may overlap. Arguments that the source
/// declares `__restrict__` (llvm.noalias) are distinct from all others. So are
/// variables of the module from each other, but not from other arguments,
/// which may point to them; what nothing writes does not count.
bool mayAlias(mlir::Value left, mlir::Value right);

/// Whether `later` only runs after `earlier` has run for the last time.
bool isStrictlyAfter(mlir::Operation *later, mlir::Operation *earlier);

/// Whether the threads of a block that run one of the two never run the other:
/// branches of a conditional in no loop, whose condition they agree on.
bool areAlternatives(mlir::Operation *left, mlir::Operation *right);

/// Returns an operation of `kernel` that may access the memory of `memref` and
/// for which `concerns` holds: a write, or with `readsToo` also a read.
/// Barriers do not count.
mlir::Operation *
findConflict(mlir::gpu::GPUFuncOp kernel, mlir::Value memref, bool readsToo,
             llvm::function_ref<bool(mlir::Operation *)> concerns);

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_UTILS_ALIASING_H
