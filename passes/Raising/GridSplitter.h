//===- GridSplitter.h - one kernel as several launches ----------*- C++ -*-===//
//
// Between two barriers of the grid lies what one launch can do, a *phase*. The
// control flow around the barriers, which is the same for all work items, moves
// to the host:
//
//   %s0 = %n / 2                        func.func @rd(%a, %n, …) {
//   while (%s = %s0; %s > 0) {            %s0 = %n / 2
//     if (%id < %s) a[%id] += …     →     while (%s = %s0; %s > 0) {
//     gpuopt.grid_barrier                   gpu.launch_func @rd__phase0 (%a,
//     %n, %s) yield %s / 2                          yield %s / 2
//   }                                     }
//
// A value that a phase needs and that another part of the kernel computed is a
// parameter (loop variables) or is computed again in the phase, which has to be
// possible: nothing but memory that is not written may have gone into it.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_RAISING_GRIDSPLITTER_H
#define PASSES_RAISING_GRIDSPLITTER_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace gpuopt {

/// What came of one kernel.
struct SplitKernel {
  /// Takes the kernel's arguments, then the blocks and the threads per block of
  /// the original launch in x, y, z.
  mlir::func::FuncOp host;
  llvm::SmallVector<mlir::gpu::GPUFuncOp> phases;
  unsigned barriers = 0;
};

/// Puts a host function, before the `gpu.module`, and the phases in the place
/// of `kernel`, which has barriers of the grid. Where that is not possible says
/// so in an error at the place that prevents it.
mlir::FailureOr<SplitKernel> splitAtGridBarriers(mlir::gpu::GPUFuncOp kernel);

} // namespace gpuopt

#endif // PASSES_RAISING_GRIDSPLITTER_H
