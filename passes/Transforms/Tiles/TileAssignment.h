//===- TileAssignment.h - which thread loads what of a tile -----*- C++ -*-===//
//
// The threads of a block fill a tile in workgroup memory together. Consecutive
// threads take consecutive elements, so that their addresses are consecutive
// where the tile's last dimension is that of the smallest stride. What does not
// fit at once takes several rounds:
//
//   tile       block      rounds  element of thread (tx, ty) in round r
//   [16][16]   16x16x1         1  [ty][tx]
//   [16][16]   16x1x1         16  [r][tx]
//   [16]       16x16x1         1  [tx]             where ty < 1
//   [16][32]   16x16x1         2  [ty floordiv 2 + r * 8]
//                                 [tx + (ty mod 2) * 16]
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_TRANSFORMS_TILES_TILEASSIGNMENT_H
#define PASSES_TRANSFORMS_TILES_TILEASSIGNMENT_H

#include "passes/Analysis/AccessFunction.h"

#include "mlir/IR/AffineExpr.h"

namespace gpuopt {

/// Expressions are over the thread ids in x, y, z (dimensions 0 to 2) and the
/// round (dimension 3).
struct TileAssignment {
  /// How many elements each thread loads at most.
  int64_t rounds = 1;
  /// The element, one index for each dimension of the tile.
  llvm::SmallVector<mlir::AffineExpr> indices;
  /// Threads beyond one of these limits load nothing: expression < limit.
  llvm::SmallVector<std::pair<mlir::AffineExpr, int64_t>> limits;
};

/// `extents` is the shape of the tile, the slowest dimension first.
TileAssignment assignTile(llvm::ArrayRef<int64_t> extents,
                          const BlockShape &block, mlir::MLIRContext *context);

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_TILES_TILEASSIGNMENT_H
