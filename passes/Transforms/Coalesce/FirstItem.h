//===- FirstItem.h - one work item checks for several -----------*- C++ -*-===//
//
// A tile along x holds data that the threads along y share: one item has to
// stand for them when its conditions are checked. Of the causal mask `x <= y`
// it is the first one that the mask lets through, at y = x.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_TRANSFORMS_COALESCE_FIRSTITEM_H
#define PASSES_TRANSFORMS_COALESCE_FIRSTITEM_H

#include "passes/Analysis/AccessFunction.h"
#include "passes/Analysis/Conditions.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

#include <array>
#include <string>

namespace gpuopt {

/// The work item that stands for those of a block which a tile does not tell
/// apart along a dimension, where conditions bound ids from below: the first
/// one that these let through, at the largest of the block's first position and
/// of the bounds. What holds for smaller ids holds for it if it holds for each
/// of these positions.
struct FirstItem {
  /// `block_id * B + thread_id`: the only way in which conditions depend on the
  /// thread's id. Null where the block's first thread will do.
  mlir::Value position;
  /// The least positions that conditions let through, by what the thread that
  /// loads knows: parameters, or its element's position along other dimensions.
  struct LowerBound {
    mlir::Value value;
    /// The bound itself is not let through.
    bool isStrict = false;
  };
  llvm::SmallVector<LowerBound> lowerBounds;
  /// Positions along dimensions in which blocks have the same addresses. Under
  /// a mask such as `x <= y`, it is the launch's first item that stands for all
  /// along these, at 0, so that tiles are the same for all blocks, too.
  llvm::SmallVector<mlir::Value> launchPositions;
  /// The conditions that it fulfils by that.
  llvm::SmallVector<Condition> fulfilled;
};

/// Returns why the thread with id 0 in the dimensions in which a tile has no
/// extent may not stand for the others, or nothing. `conditions` are those that
/// the loading thread evaluates. With `firstItem` another item may stand for
/// those of one dimension.
std::string whyFirstItemDiffers(AccessFunctions &functions,
                                llvm::ArrayRef<Condition> conditions,
                                const std::array<bool, 3> &covered,
                                mlir::gpu::GPUFuncOp kernel = {},
                                FirstItem *firstItem = nullptr);

/// The position along `dim` of a mask in `conditions`: a comparison of it with
/// what a tile tells apart, where it is the only way in which they depend on
/// the id along `dim`. Null where there is none.
mlir::Value findMaskPosition(AccessFunctions &functions,
                             llvm::ArrayRef<Condition> conditions,
                             const std::array<bool, 3> &covered,
                             mlir::gpu::GPUFuncOp kernel, unsigned dim);

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_COALESCE_FIRSTITEM_H
