//===- AccessSlice.h - the accesses of a kernel alone -----------*- C++ -*-===//
//
// A kernel without what does not matter to which addresses it accesses. First
// each access is accompanied by a prefetch, then whatever no prefetch needs is
// dead code, and what is left tells whether a CPU can run it before the kernel.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_ASSIST_ACCESSSLICE_H
#define PASSES_ASSIST_ACCESSSLICE_H

#include "passes/Analysis/Remarks.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace gpuopt {

/// Runs passes on a kernel, those of `addCleanUp`.
using CleanUp = llvm::function_ref<mlir::LogicalResult(mlir::gpu::GPUFuncOp)>;

/// What came of a kernel.
struct AccessSlice {
  /// Beside the kernel; null where its accesses cannot be sliced.
  mlir::gpu::GPUFuncOp function;
  unsigned prefetches = 0;
  /// Those that addresses, branches and loops need.
  unsigned loads = 0;
  /// Where there is none: why not.
  Refusal obstacle;
};

/// Whether `op` is a prefetch of a slice.
bool isPrefetch(mlir::Operation *op);

/// Whether there is one in `op`.
bool hasPrefetch(mlir::Operation *op);

/// Adds the passes that remove dead code from a kernel, and have equal values
/// be the same.
void addCleanUp(mlir::OpPassManager &passes);

/// Makes the slice of `kernel`. `cleanUp` removes dead code. Fails only where
/// that does.
mlir::FailureOr<AccessSlice> sliceAccesses(mlir::gpu::GPUFuncOp kernel,
                                           CleanUp cleanUp);

} // namespace gpuopt

#endif // PASSES_ASSIST_ACCESSSLICE_H
