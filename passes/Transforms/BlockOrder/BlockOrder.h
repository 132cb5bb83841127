//===- BlockOrder.h - blocks that take each other's place -------*- C++ -*-===//
//
// Blocks of a launch are independent of each other, so block (x, y) may do the
// work of any other block, as long as each block's work is done by exactly one:
// the new ids are a permutation of the grid. Which order the hardware starts
// blocks in is its own affair, but all start them with blockIdx.x fastest, so a
// permutation decides what is worked on at the same time.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_TRANSFORMS_BLOCKORDER_BLOCKORDER_H
#define PASSES_TRANSFORMS_BLOCKORDER_BLOCKORDER_H

#include "dialects/GPUOpt/GPUOptAttrs.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Builders.h"

namespace gpuopt {

/// The ids of a block and the number of blocks along x and y, as indices.
struct GridPosition {
  mlir::Value blockX, blockY, gridX, gridY;
};

/// The ids along x and y that a block takes.
using NewIds = std::pair<mlir::Value, mlir::Value>;

/// The order in which the blocks of `kernel` work; null for the launch's.
BlockOrderAttr blockOrderOf(mlir::gpu::GPUFuncOp kernel);

/// Lets every block of `kernel` work as the one whose ids `newIds` computes, at
/// the top of the kernel, and notes `order` on it. Ids along z stay.
void reorderBlocks(
    mlir::gpu::GPUFuncOp kernel, BlockOrderAttr order,
    llvm::function_ref<NewIds(mlir::OpBuilder &, GridPosition)> newIds);

/// Undoes the grouped order for a count of what single blocks do, and of what
/// they share with others: with quotients in them, addresses would not tell.
void restoreBlockOrder(mlir::gpu::GPUFuncOp kernel);

/// Diagonal order (Ruetsch and Micikevicius 2009): y = bx and x = (bx + by) mod
/// gx on square grids. On others, with the linear id b = by * gx + bx, y = b
/// mod gy and x = (b / gy + y) mod gx: b / gy and b mod gy together tell blocks
/// apart, and for each y the sum is a rotation.
NewIds emitDiagonalOrder(mlir::OpBuilder &builder, GridPosition at);

/// Rows of blocks in groups of `group`, each worked on column by column: of the
/// blocks of a group of h rows (the last one may have fewer), number n is in
/// row n mod h and column n / h.
NewIds emitGroupedOrder(mlir::OpBuilder &builder, GridPosition at,
                        int64_t group);

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_BLOCKORDER_BLOCKORDER_H
