//===- PrefetchFill.h - the fill of another iteration -----------*- C++ -*-===//
//
// Writes parts of a loop's fill once more, for another iteration: the loads,
// the stores of what was loaded, or both. Guards of the fill guard each part.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_TRANSFORMS_PREFETCH_PREFETCHFILL_H
#define PASSES_TRANSFORMS_PREFETCH_PREFETCHFILL_H

#include "passes/Transforms/Prefetch/PrefetchLoop.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

namespace gpuopt {

/// Lets `access`, of a tile that got a leading dimension of stages, go to
/// `stage`. Affine accesses want a value that is an affine dimension or symbol.
void addStage(mlir::Operation *access, mlir::Value stage);

/// One copy of the fill, for one iteration.
class FillCopy {
public:
  /// `iterator` is the iterator's value in the wanted iteration. `stage` is
  /// where the tiles of that iteration are; null where tiles have no stages.
  FillCopy(const TileLoop &tile, mlir::Value iterator, mlir::Value stage = {})
      : tile(tile), iterator(iterator), stage(stage) {}

  /// Loads; the values in the order of `tile.loads`. Where a guard does not
  /// hold a value is poison.
  llvm::SmallVector<mlir::Value> load(mlir::OpBuilder &builder);
  /// Stores what `load` returned.
  void store(mlir::OpBuilder &builder, mlir::ValueRange loaded);
  /// Loads and stores; with `async` by asynchronous copies, which no register
  /// sees.
  void copy(mlir::OpBuilder &builder, bool async);

private:
  enum class Part { Loads, Stores, Both, AsyncCopies };
  void run(mlir::OpBuilder &builder);
  void visit(mlir::OpBuilder &builder, mlir::Operation &op);
  void visitLoad(mlir::OpBuilder &builder, mlir::Operation &load);
  void visitStore(mlir::OpBuilder &builder, mlir::Operation &store);
  void visitBranch(mlir::OpBuilder &builder, mlir::scf::IfOp branch);
  void visitVersions(mlir::OpBuilder &builder, mlir::scf::IfOp versions);
  void copyAsync(mlir::OpBuilder &builder, mlir::Operation &store);

  const TileLoop &tile;
  mlir::Value iterator, stage;
  Part part = Part::Both;
  mlir::IRMapping map;
  /// Loads: the values so far. Stores: those that are left.
  llvm::SmallVector<mlir::Value> values;
  mlir::ValueRange given;
};

/// The values of loads that no iteration does.
llvm::SmallVector<mlir::Value> createPoison(mlir::OpBuilder &builder,
                                            mlir::Location loc,
                                            mlir::TypeRange types);

/// Where the iterations of a loop are, as values and affine expressions.
class Iterations {
public:
  /// Creates the bounds in front of `loop`.
  explicit Iterations(mlir::LoopLikeOpInterface loop);

  /// The iterator of the iteration with this number from 0.
  mlir::Value number(mlir::OpBuilder &builder, int64_t number) {
    return advance(builder, lower, number);
  }
  /// The iterator `distance` iterations from now, inside the loop.
  mlir::Value ahead(mlir::OpBuilder &builder, int64_t distance) {
    return advance(builder, *loop.getSingleInductionVar(), distance);
  }
  /// Whether the iteration with this iterator exists; null where it surely
  /// does.
  mlir::Value exists(mlir::OpBuilder &builder, mlir::Value iterator);
  /// (number of the iteration + distance) mod stages, inside an affine loop.
  mlir::Value stage(mlir::OpBuilder &builder, int64_t distance, int64_t stages);
  /// The stage of the last iteration, behind an affine loop; any stage where
  /// there was none.
  mlir::Value lastStage(mlir::OpBuilder &builder, int64_t stages);

private:
  mlir::Value advance(mlir::OpBuilder &builder, mlir::Value from,
                      int64_t iterations);

  mlir::LoopLikeOpInterface loop;
  mlir::Value lower, upper;
  /// Of an affine loop.
  std::optional<int64_t> affineStep;
  /// Of other loops.
  mlir::Value step;
};

/// Runs `body` at `builder` under `condition`, or always where that is null.
/// What it returns is poison otherwise.
llvm::SmallVector<mlir::Value> guarded(
    mlir::OpBuilder &builder, mlir::Location loc, mlir::Value condition,
    llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::OpBuilder &)> body,
    mlir::ValueRange otherwise = {});

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_PREFETCH_PREFETCHFILL_H
