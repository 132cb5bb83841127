//===- WarpgroupPlan.h - how warpgroups multiply tiles ----------*- C++ -*-===//
//
// Four subgroups, a *warpgroup*, multiply 64 lines of one tile with up to 256
// lines of another one by one instruction (`wgmma.mma_async`), which reads both
// from workgroup memory. Subgroup w leaves in lane 4 g + c the sums
//
//   register 4 j + 2 h + e:   row 16 w + 8 h + g, column 8 j + 2 c + e
//
// In a block of 4 x 8 s threads (s subgroups), lane 4 g + c of subgroup w has
// the items of x = c and y = 8 w + g. Merged, these are, with n = 8 s,
//
//   columns 2 x + e + 8 j      rows y + n i
//
// so columns are the instruction's as they are. Of the rows, those of i = 2 t
// and 2 t + 1 make up the 64 rows that a warpgroup does at a time; they are
// where the instruction looks for them if line y + n i of the tile lies at
//
//   y mod 8 + 8 (i mod 2) + 16 (y floordiv 8) + 2 n (i floordiv 2)
//
// A thread's rows are eight lines apart then, and nothing else of the kernel
// has to know. What the tile's rows and columns of 128 bytes are, see
// Banks/WarpgroupLayout.h.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_TRANSFORMS_TENSOR_WARPGROUPPLAN_H
#define PASSES_TRANSFORMS_TENSOR_WARPGROUPPLAN_H

#include "passes/Transforms/Tensor/FragmentLoads.h"

namespace gpuopt {

/// One of the two tiles.
struct WarpgroupTile {
  mlir::Value array;
  /// Whether a row of the tile has neighbouring lines, not products.
  bool isTransposed = false;
  /// The lines, by their places in the tile: the numbers of the contraction's
  /// rows or columns.
  llvm::SmallVector<unsigned> order;
};

struct WarpgroupPlan {
  Contraction contraction;
  MatrixUnitAttr unit;
  /// Products of a sum in the tile.
  int64_t depth = 0;
  /// Threads along y: rows of a thread are so far apart.
  int64_t distance = 0;
  WarpgroupTile rows, columns;

  int64_t columnsOfProduct() const { return columns.order.size() * 4; }
  int64_t productsOfIteration() const { return rows.order.size() / 2; }
};

/// Rows of an instruction, subgroups of a warpgroup, and bytes of a line.
inline constexpr int64_t kWarpgroupRows = 64, kWarpgroupSubgroups = 4,
                         kWarpgroupLineBytes = 128, kMostWarpgroupColumns = 256;

/// The warpgroup unit of `target` for elements and sums like these, null where
/// there is none.
MatrixUnitAttr findWarpgroupUnit(const Contraction &contraction,
                                 TargetAttr target);

/// Whether tiles whose rows have neighbouring lines will do for `unit`.
bool mayBeTransposed(MatrixUnitAttr unit);

/// How warpgroups of blocks of `kernel` do what `contraction` does, where rows
/// follow the thread's id along y and columns that along x. Nothing where the
/// items of threads are not those of the instruction.
std::optional<WarpgroupPlan>
planWarpgroups(mlir::gpu::GPUFuncOp kernel, const Contraction &contraction,
               TargetAttr target, const UniformityAnalysis &uniformity);

/// Puts the loop of `plan` into the form of warpgroup products.
void multiplyByWarpgroups(const WarpgroupPlan &plan, const SubgroupIds &ids);

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_TENSOR_WARPGROUPPLAN_H
