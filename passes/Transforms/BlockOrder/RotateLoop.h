//===- RotateLoop.h - start a loop somewhere else ---------------*- C++ -*-===//
//
// Runs the iterations of a loop in a rotated order: from an offset to the end,
// then from the beginning to the offset.
//
//   affine.for %i = 0 to %w step 16 { use %i }
//
// becomes, for an offset %start from 0 to %w, a multiple of the step,
//
//   affine.for %j = 0 to %w step 16 {
//     %i = %j + %start < %w ? %j + %start : %j + %start - %w
//     use %i
//   }
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_TRANSFORMS_BLOCKORDER_ROTATELOOP_H
#define PASSES_TRANSFORMS_BLOCKORDER_ROTATELOOP_H

#include "passes/Analysis/Remarks.h"
#include "passes/Analysis/Uniformity.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"

#include <variant>

namespace gpuopt {

/// A loop whose iterations may run in any order.
struct FreeLoop {
  mlir::affine::AffineForOp loop;
  /// What the last iteration leaves in workgroup memory may be read behind the
  /// loop: it stays the last one.
  bool keepsLast = false;
  /// What the sums are made by.
  llvm::SmallVector<mlir::Operation *> combiners = {};
};

/// Whether the iterations of `loop` may run in any order, or why not:
/// * it counts from one bound to one other;
/// * what it carries are sums and the like (see Reductions.h);
/// * nothing in it writes memory, but for tiles that every iteration fills with
///   what only this iteration reads.
std::variant<FreeLoop, Refusal>
checkOrderIsFree(mlir::affine::AffineForOp loop,
                 const UniformityAnalysis &uniformity);

/// Whether another order changes the results of floating-point sums or products.
bool reordersSums(const FreeLoop &free);

/// Starts `free.loop` `offset` further on, an index that is a multiple of the
/// loop's step and at least 0. `computeOffset` gets the length of what is
/// rotated, at least 1, and returns the offset modulo that length.
void rotateLoop(
    FreeLoop free,
    llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::Value length)>
        computeOffset);

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_BLOCKORDER_ROTATELOOP_H
