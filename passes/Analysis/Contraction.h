//===- Contraction.h - loops that multiply matrices -------------*- C++ -*-===//
//
// A *contraction* is a loop whose iterations add, to each of the sums that it
// carries, the product of an element of a row and one of a column, and do
// nothing else:
//
//   affine.for %k = 0 to 16 iter_args(%s00, %s01, %s10, %s11) {
//     %a0 = load %a[%y, %k]       %a1 = load %a[%y + 8, %k]      rows 0, 1
//     %b0 = load %b[%k, %x]       %b1 = load %b[%k, %x + 8]      columns 0, 1
//     yield %s00 + a0 * b0, %s01 + a0 * b1, %s10 + a1 * b0, %s11 + a1 * b1
//   }
//
// Every row is multiplied with every column, for one sum each. Elements may be
// made wider before they are multiplied. A work item of a naive product has one
// row and one column; a thread that does the work of several has more. Which
// matrix is `a` and which `b`, and how they lie in memory, is left open: a row
// is what the products of one sum share with those of another one.
//
// This is a proof: what the loop computes is what the contraction says.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_ANALYSIS_CONTRACTION_H
#define PASSES_ANALYSIS_CONTRACTION_H

#include "mlir/Dialect/Affine/IR/AffineOps.h"

#include <optional>

namespace gpuopt {

struct Contraction {
  /// How an element becomes a factor.
  enum class Widening { None, Float, Signed, Unsigned };
  struct Side {
    Widening widening = Widening::None;
    /// One for each row or column, none twice.
    llvm::SmallVector<mlir::affine::AffineLoadOp> loads;

    bool operator==(const Side &) const = default;
  };

  mlir::affine::AffineForOp loop;
  Side rows, columns;
  /// The number of the carried value that row r and column c add to, at
  /// r * columns + c.
  llvm::SmallVector<unsigned> sums;
  /// As in memory, the same for rows and columns.
  mlir::Type elementType;
  mlir::Type sumType;
  /// Whether the sums may be added in another order: sums of integers, and
  /// others with the `reassoc` flag.
  bool mayReorder = true;

  unsigned sumOf(unsigned row, unsigned column) const {
    return sums[row * columns.loads.size() + column];
  }
  /// Makes columns of rows, and rows of columns.
  void transpose();
};

/// The contraction that `loop` is; nothing for other loops.
std::optional<Contraction> recogniseContraction(mlir::affine::AffineForOp loop);

} // namespace gpuopt

#endif // PASSES_ANALYSIS_CONTRACTION_H
