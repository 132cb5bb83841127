//===- LaunchedItems.h - the work items of a launch -------------*- C++ -*-===//
//
// As conditions of a launch have them: behind the arguments of a kernel,
// symbols stand for the grid along x, y, z and then for the block.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_LAUNCHES_LAUNCHEDITEMS_H
#define PASSES_LAUNCHES_LAUNCHEDITEMS_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/AffineExpr.h"

namespace gpuopt {

/// The work items of a launch of `kernel` along `dimension`: the blocks times
/// the threads of one.
inline mlir::AffineExpr launchedItems(mlir::gpu::GPUFuncOp kernel,
                                      unsigned dimension) {
  unsigned grid = kernel.getNumArguments(), block = grid + 3;
  mlir::MLIRContext *context = kernel.getContext();
  return mlir::getAffineSymbolExpr(grid + dimension, context) *
         mlir::getAffineSymbolExpr(block + dimension, context);
}

} // namespace gpuopt

#endif // PASSES_LAUNCHES_LAUNCHEDITEMS_H
