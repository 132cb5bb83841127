//===- KernelLoops.h - loops that all threads run alike ---------*- C++ -*-===//
//
// A loop of a slice (AccessSlice.h) is a *kernel loop* (Yang 2012, section
// 6.4.3) where the host can run it for all threads together:
//
//   for (i = 0; i < n; ++i) prefetch a[i * n + x]           a kernel loop
//   for (i = 0; i < x; ++i) prefetch a[i]                   none: ends differ
//   for (i = first[0]; …)                                   none: from memory
//   for (s = n; s > 0; s /= 2)                              none: carries s
//   for (i …) for (j = 0; j < i; ++j) prefetch b[j]         two, nested
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_ASSIST_KERNELLOOPS_H
#define PASSES_ASSIST_KERNELLOOPS_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

namespace gpuopt {

/// The kernel loops of `slice`, outer ones first.
llvm::SetVector<mlir::Operation *> findKernelLoops(mlir::gpu::GPUFuncOp slice);

/// The function of the host that has the kernel loops.
class HostLoops {
public:
  /// `known` has the arguments of the slice as the host has them, and will have
  /// what it computes; `grid` and `block` are what the launch has in x, y, z.
  HostLoops(mlir::IRMapping &known, mlir::ValueRange grid,
            mlir::ValueRange block)
      : known(known), grid(grid), block(block) {}

  /// Computes at `builder` what bounds of `loops` do not need iterators for.
  void computeInvariants(mlir::OpBuilder &builder,
                         const llvm::SetVector<mlir::Operation *> &loops);

  /// Creates a loop with the bounds of `loop`, in the loop made for the one
  /// around it, and returns its empty body.
  mlir::Block *create(mlir::OpBuilder &builder, mlir::Operation *loop);

private:
  void compute(mlir::OpBuilder &builder, mlir::Value value);

  mlir::IRMapping &known;
  mlir::ValueRange grid, block;
};

} // namespace gpuopt

#endif // PASSES_ASSIST_KERNELLOOPS_H
