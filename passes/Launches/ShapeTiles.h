//===- ShapeTiles.h - give flat workgroup arrays their rows -----*- C++ -*-===//
//
// Arrays of workgroup memory come from the front end as flat ones. With the
// block's size known it often follows that every subscript is a row and a
// column of one length:
//
//   tile[16 * ty + tx]            tile[ty][tx]             tx < 16
//   tile[34 * ty + tx + 35]       tile[ty + 1][tx + 1]     tx < 32
//
// Rows can be padded then.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_LAUNCHES_SHAPETILES_H
#define PASSES_LAUNCHES_SHAPETILES_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace gpuopt {

/// Gives the flat arrays of `kernel` rows, where each access is proven to stay
/// in its row; the others stay as they are, with a remark. Returns how many it
/// has shaped.
unsigned shapeTiles(mlir::gpu::GPUFuncOp kernel);

} // namespace gpuopt

#endif // PASSES_LAUNCHES_SHAPETILES_H
