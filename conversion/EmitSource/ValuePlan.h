//===- ValuePlan.h - which values get a variable ----------------*- C++ -*-===//
//
// In source code most values have no name: they stand where they are used. The
// plan says which operations get a variable, and which values share one, as a
// loop's accumulator does before, in and after the loop.
//
// A value may stand at its use where that changes nothing: it is computed from
// other values, or it is loaded and nothing writes to memory in between. Values
// may share a variable where none is used after another has been written.
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_EMITSOURCE_VALUEPLAN_H
#define CONVERSION_EMITSOURCE_VALUEPLAN_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/EquivalenceClasses.h"

namespace gpuopt::source {

/// Whether `op`, which may be null, gives a value that may be any.
bool isUndefined(mlir::Operation *op);

class ValuePlan {
public:
  explicit ValuePlan(mlir::gpu::GPUFuncOp function);

  /// Whether the results of `op` stand where they are used.
  bool isInline(mlir::Operation *op) const { return inlined.contains(op); }

  /// One value for all that share a variable.
  mlir::Value leader(mlir::Value value) const;

  /// Whether no other value shares the variable of `value`.
  bool isAlone(mlir::Value value) const {
    return !members.contains(leader(value));
  }

private:
  /// A place at which a value is read: `op`, or the end of the loop `op`.
  struct UsePoint {
    mlir::Operation *op;
    bool atEnd;
  };

  void number(mlir::Region &region);
  void chooseInline(mlir::gpu::GPUFuncOp function);
  void chooseSmall(mlir::Operation *op);
  void chooseSingleUse(mlir::Operation *op);
  void markAccumulators(mlir::Operation *loop);
  bool canMoveLoad(mlir::Operation *load, mlir::Operation *place) const;
  /// The place where the only reader of an inlined value stands.
  mlir::Operation *placeOf(mlir::Operation *user) const;

  void merge(mlir::gpu::GPUFuncOp function);
  void mergeLoop(mlir::Operation *loop);
  void mergeIf(mlir::Operation *op);
  void tryMerge(mlir::Value left, mlir::Value right);
  /// All that share a variable with `leader`, it included.
  llvm::SmallVector<mlir::Value> membersOf(mlir::Value leader) const;
  void forceMerge(mlir::Value left, mlir::Value right);
  bool hasVariable(mlir::Value value) const;
  bool interfere(mlir::Value left, mlir::Value right) const;
  bool isLiveAfter(mlir::Value value, mlir::Value defined) const;
  void collectUses(mlir::Value value,
                   llvm::SmallVectorImpl<UsePoint> &uses) const;
  int64_t definedAt(mlir::Value value) const;

  llvm::DenseSet<mlir::Operation *> inlined;
  llvm::DenseSet<mlir::Operation *> accumulators;
  llvm::DenseMap<mlir::Operation *, int64_t> starts, ends;
  llvm::DenseMap<mlir::Operation *, unsigned> sizes;
  llvm::DenseMap<mlir::Value, mlir::Value> leaders;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::Value>> members;
  int64_t nextPosition = 0;
};

} // namespace gpuopt::source

#endif // CONVERSION_EMITSOURCE_VALUEPLAN_H
