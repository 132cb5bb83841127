//===- TileDistribution.h - which thread does what of a tile ----*- C++ -*-===//
//
// How the threads of a block share out the iterations of a collective loop: in
// which order iterations are counted, how many neighbouring ones a thread takes
// at once as a vector, and which a thread takes in which round (see
// TileAssignment.h). For 16x16 threads and floats:
//
//   fill                             order    width  rounds
//   tile[r][j] = a[i0 + r, j0 + j]   (r, j)   1 of   1      rows of a unaligned
//     (16, 16)                                4
//   the same, (128, 16), a aligned   (r, j)   4      2
//   tile[j][r] = a[i0 + r, j0 + j]   (r, j)   …      …      j runs along a
//
// The order is the one that moves the fewest sectors of global memory; of
// those, the one with the widest vectors.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_TRANSFORMS_TILES_TILEDISTRIBUTION_H
#define PASSES_TRANSFORMS_TILES_TILEDISTRIBUTION_H

#include "passes/Analysis/CollectiveLoops.h"
#include "passes/Transforms/Tiles/TileAssignment.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace gpuopt {

struct TileDistribution {
  /// The loop's dimensions, the one that counts fastest last.
  llvm::SmallVector<unsigned> order;
  /// Neighbouring iterations of the last dimension that a thread takes at once.
  int64_t width = 1;
  /// Whether data goes from loads to stores and nowhere else.
  bool isCopy = false;
  /// Over `order`, in units of `width` along the last dimension.
  TileAssignment assignment;
  /// The accesses that become vector accesses; the other ones are made for
  /// each of the `width` iterations.
  llvm::SmallPtrSet<mlir::Operation *, 4> vectorAccesses;
  /// Sectors of global memory that the block moves.
  double sectors = 0;
  /// Why the vectors are not wider; empty where they are as wide as the target
  /// prefers.
  std::string whyNotWider;

  unsigned fastest() const { return order.back(); }
};

/// Decides how `loop`, which counts to `extents`, is shared out by the threads
/// of `block`. `width` is the pass option: the bytes of the widest access, 0
/// for what the target prefers.
TileDistribution distributeTile(mlir::affine::AffineParallelOp loop,
                                llvm::ArrayRef<int64_t> extents,
                                const AccessFunctions &functions,
                                TargetAttr target, const BlockShape &block,
                                int64_t width = 0);

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_TILES_TILEDISTRIBUTION_H
