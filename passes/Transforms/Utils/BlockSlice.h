//===- BlockSlice.h - values of other threads of a block --------*- C++ -*-===//
//
// A thread can do something on behalf of another thread of its block, or for a
// later iteration of a loop, where it can compute the other's addresses and
// conditions: their backward slices up to ids, iterators, arguments and
// constants. `computeSlice` finds whether that is possible and what the values
// depend on; `SliceCloner` computes them again.
//
//   value                              slice
//   %i = affine.apply (b * 16 + t)     depends on thread_id x
//   %g = arith.cmpi slt, %i, %n        depends on thread_id x
//   %v = memref.load %a[%i]            cannot be computed again
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_TRANSFORMS_UTILS_BLOCKSLICE_H
#define PASSES_TRANSFORMS_UTILS_BLOCKSLICE_H

#include "passes/Analysis/CollectiveLoops.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

namespace gpuopt {

/// What a value needs to be computed again.
struct BlockSlice {
  /// Why it cannot be; empty where it can.
  std::string obstacle;
  /// The thread ids in x, y, z that it depends on.
  std::array<bool, 3> threadIds = {false, false, false};
  /// The block ids in x, y, z that it depends on.
  std::array<bool, 3> blockIds = {false, false, false};
  /// The iterators of counted loops that it depends on.
  llvm::SetVector<mlir::Value> iterators;

  bool isComputable() const { return obstacle.empty(); }
  /// Whether all threads of a block have the same value.
  bool isUniform() const {
    return isComputable() && !threadIds[0] && !threadIds[1] && !threadIds[2];
  }
  void merge(const BlockSlice &other);
};

BlockSlice computeSlice(mlir::Value value);
BlockSlice computeSlice(mlir::ValueRange values);

/// Computes values again with other thread ids and iterators.
class SliceCloner {
public:
  explicit SliceCloner(mlir::OpBuilder &builder) : builder(builder) {}

  /// From now on `value` (an iterator, a thread id) is `replacement`.
  void substitute(mlir::Value value, mlir::Value replacement) {
    mapping.map(value, replacement);
  }
  void substituteThreadId(unsigned dimension, mlir::Value replacement) {
    threadIds[dimension] = replacement;
  }

  /// `value` under the substitutions, at the builder's insertion point. Its
  /// slice has to be computable.
  mlir::Value clone(mlir::Value value);

  /// Repeats the operations of `body` but for its terminator, where
  /// `findUncloneable` finds nothing.
  void cloneBody(mlir::Block &body);
  /// An operation in `body` that `cloneBody` cannot repeat, or null: anything
  /// but loads, stores, branches and operations without effects. These need not
  /// be total: whoever repeats a body runs it where it has run before.
  static mlir::Operation *findUncloneable(mlir::Block &body);

  /// The subscripts of a load or store.
  llvm::SmallVector<mlir::Value> cloneIndices(mlir::Operation *op);

  /// Repeats the `affine.load` or `memref.load` `op`.
  mlir::Value cloneLoad(mlir::Operation *op);
  /// Repeats the `affine.store` or `memref.store` `op` with another value.
  void cloneStore(mlir::Operation *op, mlir::Value stored);

private:
  mlir::Value cloneOp(mlir::Operation *op, unsigned result);
  mlir::Value cloneApply(mlir::Location loc, mlir::AffineMap map,
                         llvm::ArrayRef<mlir::Value> operands);
  bool isAvailable(mlir::Value value);

  mlir::OpBuilder &builder;
  mlir::IRMapping mapping;
  std::array<mlir::Value, 3> threadIds;
};

/// The result of `map`, an `affine.apply` where its operands allow one.
mlir::Value createApply(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::AffineMap map,
                        llvm::ArrayRef<mlir::Value> operands);

/// An empty collective loop, see CollectiveLoops.h.
mlir::affine::AffineParallelOp
createCollectiveLoop(mlir::OpBuilder &builder, mlir::Location loc,
                     llvm::ArrayRef<int64_t> extents);

/// Loads `memref[indices]`, as an affine access where the indices allow it.
mlir::Value createLoad(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::Value memref, mlir::ValueRange indices);
void createStore(mlir::OpBuilder &builder, mlir::Location loc,
                 mlir::Value value, mlir::Value memref,
                 mlir::ValueRange indices);

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_UTILS_BLOCKSLICE_H
