//===- NestPlan.h - tiles with a halo for nests of loops --------*- C++ -*-===//
//
// What `gpuopt-coalesce-accesses` decides about loads whose address adds a
// loop's iterator to a work item's id: threads read what their neighbours read
// in another iteration (a halo, section 3.4 of Yang et al. 2012). One tile
// holds everything that the block reads in T iterations of each loop, once:
//
//   for i < kh, for j < kw: image[idy + i][idx + j] * filter[i][j]
//
//   load    tile (16x16 threads, T = 32)   element (u, v) of the tile
//   image   [16 + 31][16 + 31]             image[by*16 + u + i0][bx*16 + v]
//   filter  [32][32]                       filter[i0 + u][v]
//
// The outermost loop is taken in strips of T iterations from i0. Loops inside
// have to fit into a tile as a whole, which a uniform test finds out, as strips
// of them would change the order of the iterations.
//
// Which work item would load element v of a dimension that adds an id and J
// iterations? That at position bx*16 + v - (J - 1), in its last iteration; or
// the first of all, where that is negative. It is a work item of this block or
// of one before it: guards that hold for smaller ids hold for it wherever they
// hold for one that needs the element. Its own guard decides.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_TRANSFORMS_STENCILS_NESTPLAN_H
#define PASSES_TRANSFORMS_STENCILS_NESTPLAN_H

#include "passes/Transforms/Coalesce/StagingPlan.h"

namespace gpuopt {

/// One dimension of a tile: a thread's id, a loop's iterations, or their sum.
struct NestDimension {
  /// 0, 1, 2 for the thread ids x, y, z.
  std::optional<unsigned> thread = {};
  /// A loop of the nest, or null.
  mlir::Operation *loop = nullptr;
  int64_t extent = 1;

  bool isHalo() const { return thread && loop; }
};

/// A load that goes through a tile.
struct NestLoad {
  mlir::Operation *op = nullptr;
  /// Slowest first.
  llvm::SmallVector<NestDimension> dimensions = {};
  /// Conditions around the load that who fills the tile evaluates.
  llvm::SmallVector<Condition> conditions = {};
  /// The dimensions in which work item 0 stands for all: the address has
  /// neither block nor thread id of them.
  std::array<bool, 3> isFirstItem = {false, false, false};
  /// Sectors that a block moves for the tile's worth of loads.
  double sectorsBefore = 0;
  double sectorsAfter = 0;
  Verdict verdict = Verdict::Unresolved;

  int64_t bytes() const;
};

/// The loads of a nest that are staged together.
struct NestPlan {
  /// A loop of the nest and how many of its iterations a tile holds.
  struct Loop {
    mlir::Operation *op = nullptr;
    int64_t iterations = 1;
    /// Whether it has just as many.
    bool isExact = false;
  };
  /// The outermost, taken in strips, first.
  llvm::SmallVector<Loop> loops;
  std::vector<NestLoad> loads;

  const Loop *find(mlir::Operation *op) const;
};

/// Whether neighbours load the same in other iterations: the address moves with
/// the iterator of `loop` as it does with a thread's id.
bool isSharedAcrossIterations(const StagingContext &context,
                              const AccessFunctions &functions,
                              const AccessFunction &access,
                              mlir::Operation *loop);

/// Plans tiles for the nest of loops in `loop`; without loads where there is no
/// halo or no profit. Adds to `missed` those that look as if they should be
/// staged but are not.
NestPlan planNest(const StagingContext &context, AccessFunctions &functions,
                  mlir::Operation *loop, std::vector<MissedAccess> &missed);

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_STENCILS_NESTPLAN_H
