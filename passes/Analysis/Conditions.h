//===- Conditions.h - what must hold for an operation to run ----*- C++ -*-===//
//
// An operation runs where every condition around it holds: the `scf.if`s that
// it stands in. Conditions are taken apart into comparisons:
//
//   around the operation                     comparisons
//   scf.if (x < n && y < m) { op }           x < n, y < m
//   scf.if (x >= n || y >= m) {} else { op } x < n, y < m
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_ANALYSIS_CONDITIONS_H
#define PASSES_ANALYSIS_CONDITIONS_H

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace gpuopt {

/// `value` is true, or with `negated` false, where an operation runs.
struct Condition {
  mlir::Value value;
  bool negated = false;
};

/// `left predicate right` holds.
struct Conjunct {
  mlir::arith::CmpIPredicate predicate;
  mlir::Value left;
  mlir::Value right;
  /// The comparison in the IR that says so.
  Condition comparison = {};
};

/// Conditions taken apart.
struct Conjunction {
  std::vector<Conjunct> conjuncts;
  /// The parts that are no comparison of integers.
  std::vector<Condition> others;
};

/// The conditions of every `scf.if` around `op`, outermost first. Other
/// operations around `op` contribute nothing.
llvm::SmallVector<Condition> conditionsAround(mlir::Operation *op);

/// True in the `else` of such an operation: the other version is the one that
/// is optimised.
bool isInFallbackVersion(mlir::Operation *op);

/// Adds the operands of the conjunction `condition`, an `arith.andi` of any
/// depth, to `parts`; whatever else it is, itself.
void collectConjuncts(mlir::Value condition,
                      llvm::SmallVectorImpl<mlir::Value> &parts);

/// Adds the comparisons that follow from `condition` to `conjunction`.
void takeApart(Condition condition, Conjunction &conjunction);

} // namespace gpuopt

#endif // PASSES_ANALYSIS_CONDITIONS_H
