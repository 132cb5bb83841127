//===- IndexBounds.h - what an index is at least in a block -----*- C++ -*-===//
//
// Index values as polynomials over ids, iterators and parameters, and the least
// value that such a polynomial takes over all threads of a block and all
// iterations of the loops around: a polynomial over what is the same for the
// whole block. For a block of 16 threads in x,
//
//   polynomial                              least value
//   n - (b*16 + t) - 1                      n - b*16 - 16
//   k - (i + t) - 1, i = 0 to k step 16     k - (k - 1 + 15) - 1: negative
//     the same in full tiles (i + 16 <= k)  k - (k - 16 + 15) - 1 = 0
//
// The first is the block-uniform test that every thread's guard `b*16+t < n`
// is true; the third says that no guard is needed in full tiles.
//
// Forms are equal to what they stand for: arithmetic is followed where
// `IntegerValues` shows that it does not wrap, else its result is a variable.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_ANALYSIS_INDEXBOUNDS_H
#define PASSES_ANALYSIS_INDEXBOUNDS_H

#include "passes/Analysis/IntegerValues.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"

#include <array>
#include <map>
#include <tuple>
#include <vector>

namespace gpuopt {

class IndexBounds {
public:
  /// The loops whose tiles had to be full for a bound.
  using TileLoops = llvm::SmallPtrSet<mlir::Operation *, 4>;

  /// `blockShape`: threads per block in x, y, z.
  IndexBounds(mlir::FunctionOpInterface kernel,
              std::array<int64_t, 3> blockShape)
      : blockShape(blockShape), values(kernel) {}

  /// The polynomial of an index; unknown only where coefficients overflow.
  Polynomial formOf(mlir::Value index);
  /// The polynomials of the results of `map`.
  llvm::SmallVector<Polynomial> formsOf(mlir::AffineMap map,
                                        mlir::ValueRange operands);

  /// Takes every iteration of `loop` for a full one: iterator + step <= end,
  /// the end that the loop has now. The loop has one end.
  void assumeFullTiles(mlir::affine::AffineForOp loop);

  /// Whether minima, from now on, are those of one thread: its ids stay in
  /// them. At first they are those of a block.
  void keepThreads(bool keeps) { keepsThreads = keeps; }
  bool areOfOneThread() const { return keepsThreads; }

  /// Whether products of values that are not constant stay single variables,
  /// so that forms with them are linear: w*h in w*h - b*16 - 16. At first they
  /// are products, whose factors cancel others. To be set before any form is
  /// asked for.
  void keepProducts(bool keeps) { keepsProducts = keeps; }

  /// A bound from below of `form`: thread ids and iterators replaced by their
  /// worst values, other variables kept. Unknown where it has none. Adds the
  /// loops whose tiles have to be full for it to `used`.
  Polynomial minimum(Polynomial form, TileLoops *used = nullptr) {
    return minimum(std::move(form), used, keepsThreads);
  }

  /// `left predicate right` as a polynomial that is then not negative; nothing
  /// where it is no ordering of indices.
  std::optional<Polynomial> marginOf(mlir::arith::CmpIPredicate predicate,
                                     mlir::Value left, mlir::Value right);

  /// The value that a variable stands for; null for quotients and remainders.
  mlir::Value valueOf(unsigned variable) const {
    return variables[variable].value;
  }

  /// Encloses the value of a variable.
  Interval getRange(unsigned variable);

  /// Whether `loop` has a form in which full tiles can be split from the rest:
  /// a constant first value, one end, a constant step above one.
  static bool isTileLoop(mlir::affine::AffineForOp loop);

private:
  struct Variable {
    mlir::Value value;
    /// Of quotients, remainders and ids: constant bounds, both inclusive.
    std::optional<std::pair<int64_t, int64_t>> range;
    /// Number of loops around; a bound refers to variables of lower depth.
    int depth = 0;
  };
  struct Bounds {
    Polynomial lower = Polynomial::unknown();
    Polynomial upper = Polynomial::unknown();
  };

  bool isFollowed(mlir::Value index);
  unsigned variableOf(mlir::Value value);
  Polynomial formOf(mlir::AffineExpr expression, unsigned numDims,
                    llvm::ArrayRef<Polynomial> operands);
  Polynomial derived(mlir::AffineExprKind kind, const Polynomial &left,
                     int64_t right);
  Polynomial minimum(Polynomial form, TileLoops *used, bool ofOneThread);
  std::optional<std::pair<int64_t, int64_t>>
  constantRange(const Polynomial &form);
  std::optional<Bounds> boundsOf(unsigned variable, TileLoops *used);

  std::array<int64_t, 3> blockShape;
  bool keepsThreads = false;
  bool keepsProducts = false;
  IntegerValues values;
  std::vector<Variable> variables;
  llvm::DenseMap<mlir::Value, unsigned> numbers;
  std::map<std::tuple<int, Polynomial, int64_t>, unsigned> derivedNumbers;
  /// The ends of loops that have only full tiles.
  llvm::DenseMap<mlir::Operation *, Polynomial> fullTiles;
};

} // namespace gpuopt

#endif // PASSES_ANALYSIS_INDEXBOUNDS_H
