//===- MatrixPlan.h - how a subgroup multiplies tiles -----------*- C++ -*-===//
//
// A block of threads with several work items each owns a rectangle of sums.
// The items of a thread are fixed; which thread of a block has which position
// (x, y) is not. Lanes that lie in the block as a matrix unit wants them,
//
//   x = lane mod 4     + (subgroup mod w) * 4
//   y = lane floordiv 4 + (subgroup floordiv w) * 8      w = threads along x /
//   4
//
// own sums that are the unit's fragments already: those of rows y + i, and of
// columns that lie next to each other, two by two. What is left to do is to
// say which of a thread's rows and columns make up one fragment.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_TRANSFORMS_TENSOR_MATRIXPLAN_H
#define PASSES_TRANSFORMS_TENSOR_MATRIXPLAN_H

#include "passes/Analysis/Contraction.h"
#include "passes/Analysis/Remarks.h"
#include "passes/Analysis/Uniformity.h"
#include "passes/Transforms/Tensor/FragmentLayout.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

#include <variant>

namespace gpuopt {

/// A tile's element as an affine map over the thread's ids, the loop's iterator
/// and what is the same for the block.
struct TileSubscripts {
  mlir::affine::AffineLoadOp load;
  mlir::AffineMap map;
  llvm::SmallVector<mlir::Value> operands;
};

/// Two columns that lie next to each other in a fragment.
struct ColumnPair {
  unsigned first, second;
  /// How much further the second one's subscripts are.
  llvm::SmallVector<int64_t> distance;
};

struct MatrixPlan {
  Contraction contraction;
  MatrixUnitAttr unit;
  FragmentLayout layout;
  llvm::SmallVector<TileSubscripts> rows, columns;
  /// The rows of each fragment, `rowParts` of them.
  llvm::SmallVector<llvm::SmallVector<unsigned>> rowGroups;
  llvm::SmallVector<ColumnPair> columnPairs;
};

/// By how much the subscripts of `right` are further than those of `left`;
/// nothing where that is no constant.
std::optional<llvm::SmallVector<int64_t>>
distanceOf(const TileSubscripts &left, const TileSubscripts &right);

/// Whether a unit's operands are widened as `contraction` does it: halves to
/// floats, integers with their signs.
bool isWidenedForUnits(const Contraction &contraction);

/// The unit of `target` for `contraction` that takes the most products at once,
/// of those whose depth divides `trips`; null where there is none.
MatrixUnitAttr findMatrixUnit(const Contraction &contraction, TargetAttr target,
                              int64_t trips);

/// Whether a loop over tiles of `kernel`, whose threads have an item each, is a
/// contraction for a unit of `target`.
bool wantsMatrixUnits(mlir::gpu::GPUFuncOp kernel, TargetAttr target);

/// How subgroups of blocks of `kernel` do what `contraction` does, or why they
/// do not.
std::variant<MatrixPlan, Refusal>
planMatrices(mlir::gpu::GPUFuncOp kernel, Contraction contraction,
             TargetAttr target, const UniformityAnalysis &uniformity);

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_TENSOR_MATRIXPLAN_H
