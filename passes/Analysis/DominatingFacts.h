//===- DominatingFacts.h - inequalities that hold at an operation -*- C++ -*-=//
//
// Collects what the guards and loops around an operation say about the atoms
// of IntegerValues, as polynomials that are not negative:
//
//   if (idx < w)                      w - 1 - idx
//     for (int i = 0; i < k; i++)     i, k - 1 - i
//       use
//
// Only comparisons of exact values count. A comparison that holds in a branch
// counts in that branch; `a && b` gives both, `!(a || b)` the negation of both.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_ANALYSIS_DOMINATINGFACTS_H
#define PASSES_ANALYSIS_DOMINATINGFACTS_H

#include "passes/Analysis/IntegerValues.h"

namespace gpuopt {

/// Facts of the operations of a function, collected once for each block; to be
/// asked before the function changes.
class DominatingFacts {
public:
  explicit DominatingFacts(IntegerValues &values) : values(values) {}

  IntegerValues &integers() { return values; }
  /// Polynomials that are not negative whenever `op` runs.
  llvm::ArrayRef<Polynomial> get(mlir::Operation *op);
  /// True where `goal >= 0` whenever `op` runs, by its facts and all ranges.
  bool proveNonNegative(mlir::Operation *op, const Polynomial &goal);

private:
  IntegerValues &values;
  llvm::DenseMap<mlir::Block *, llvm::SmallVector<Polynomial>> byBlock;
};

/// Polynomials that are not negative whenever `op` runs.
llvm::SmallVector<Polynomial> collectFacts(mlir::Operation *op,
                                           IntegerValues &values);

/// Adds what holds of the quotients and remainders in `goal` and in `facts`.
void addQuotients(const Polynomial &goal, IntegerValues &values,
                  llvm::SmallVectorImpl<Polynomial> &facts);

/// True where `goal >= 0` whenever `op` runs, by its facts and all ranges.
bool provesNonNegative(mlir::Operation *op, const Polynomial &goal,
                       IntegerValues &values);

} // namespace gpuopt

#endif // PASSES_ANALYSIS_DOMINATINGFACTS_H
