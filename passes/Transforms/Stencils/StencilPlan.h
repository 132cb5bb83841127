//===- StencilPlan.h - tiles for what neighbours share ----------*- C++ -*-===//
//
// What `gpuopt-coalesce-accesses` decides about loads of one array whose
// addresses add constants to a work item's ids: each element is what several
// neighbours load (a halo, section 3.4 of Yang et al. 2012), and but for one
// offset the loads are misaligned. One tile holds all that the block reads,
// once:
//
//   in a block of 32x8                              tile [8 + 2][32 + 2]
//   a[idy][idx + 1], a[idy + 1][idx],               element (u, v) is
//   a[idy + 1][idx + 2], a[idy + 2][idx + 1]        a[by*8 + u][bx*32 + v]
//
// Element u is needed iff, for some *offset* s of a load, u - s is a work item
// of the block for which the load's conditions hold. Offsets with the same
// conditions that fill a box need no test each: conditions that depend on the
// id of one dimension each are tested dimension by dimension, and of those that
// hold for smaller ids too it is enough to ask the first work item that would
// need the element, be it in this block or in one before (see NestPlan.h).
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_TRANSFORMS_STENCILS_STENCILPLAN_H
#define PASSES_TRANSFORMS_STENCILS_STENCILPLAN_H

#include "passes/Transforms/Coalesce/StagingPlan.h"

namespace gpuopt {

/// One dimension of the tile of a stencil.
struct StencilDimension {
  /// 0, 1, 2 for the ids x, y, z.
  unsigned id = 0;
  /// Threads of the block, more than one.
  int64_t threads = 2;
  /// The greatest offset; the least is 0.
  int64_t halo = 0;

  int64_t extent() const { return threads + halo; }
};

/// For each dimension of a tile.
using Offsets = llvm::SmallVector<int64_t, 3>;

/// A load of the stencil, at tile[thread id + offsets].
struct StencilLoad {
  mlir::Operation *op = nullptr;
  Offsets offsets = {};
  /// Conditions around the load that who fills the tile evaluates.
  llvm::SmallVector<Condition> conditions = {};
};

/// A part of a load's conditions: a comparison, or something else.
struct StencilCondition {
  std::optional<Conjunct> comparison = {};
  Condition other = {};
  /// The dimensions of the tile whose ids it depends on.
  llvm::SmallVector<unsigned, 3> dimensions = {};

  bool operator==(const StencilCondition &right) const;
};

/// Loads at all offsets from `first` to `last` under the same conditions.
struct StencilBox {
  Offsets first;
  Offsets last;
  /// Those that depend on ids of the tile.
  llvm::SmallVector<StencilCondition> conditions;
  /// For each dimension: whether its conditions hold for smaller ids wherever
  /// they hold for greater ones, in any block.
  llvm::SmallVector<bool, 3> isMonotone;
};

/// The loads of one array that read one tile.
struct StencilTile {
  llvm::SmallVector<StencilLoad> loads;
  /// Slowest first.
  llvm::SmallVector<StencilDimension> dimensions;
  /// Conditions of all loads that depend on no id of the tile.
  llvm::SmallVector<StencilCondition> common;
  /// Together, all offsets.
  llvm::SmallVector<StencilBox> boxes;
  /// Sectors that a block moves for one execution of the loads.
  double sectorsBefore = 0;
  double sectorsAfter = 0;
  Verdict verdict = Verdict::Unresolved;

  llvm::SmallVector<int64_t> shape() const;
  int64_t bytes() const;
};

/// Tiles that are filled together, in front of `anchor`.
struct StencilPlan {
  mlir::Operation *anchor = nullptr;
  /// Whether `anchor` stands in a loop.
  bool isRepeated = false;
  std::vector<StencilTile> tiles;
};

/// Plans the tiles of the first place of the kernel that has some; without
/// tiles where there is none. Adds to `missed` a load of each group that looks
/// as if it should be staged but is not.
StencilPlan planStencil(const StagingContext &context,
                        std::vector<MissedAccess> &missed);

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_STENCILS_STENCILPLAN_H
