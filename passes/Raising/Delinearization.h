//===- Delinearization.h - flat subscripts to rows and columns --*- C++ -*-===//
//
// A kernel addresses a two-dimensional array as `a[idy * w + idx]`. Division
// of the flat subscript by the row length `w` gives the row `idy` and the
// column `idx` back. All accesses to an array have to agree on one set of row
// lengths, its *layout*:
//
//   flat subscripts                      layout (strides)   subscripts
//   idy*k + i                            k, 1               [idy][i]
//   i*m + j,  i*m + i                    m, 1               [i][j], [i][i]
//   z*h*w + y*w + x                      h*w, w, 1          [z][y][x]
//   2*idx, 2*idx + 1                     1                  stay
//
// sum of subscript * stride = flat subscript holds as an identity of
// polynomials, so the address is the same whatever the values are. That a
// column is less than its row's length is another matter; see SubscriptRanges.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_RAISING_DELINEARIZATION_H
#define PASSES_RAISING_DELINEARIZATION_H

#include "passes/Analysis/Polynomial.h"

#include "llvm/ADT/ArrayRef.h"

namespace gpuopt {

/// Strides of all dimensions but the innermost, whose stride is 1; the
/// outermost first. Empty for a one-dimensional array.
struct ArrayLayout {
  llvm::SmallVector<Polynomial> strides;

  bool operator==(const ArrayLayout &other) const = default;
  /// The length of dimension `dimension` > 0 where the strides divide.
  std::optional<Polynomial> getExtent(unsigned dimension) const;
};

/// What the planner has to know of variables.
struct VariableTraits {
  /// True for variables that are the same in all accesses of all threads.
  llvm::function_ref<bool(const Monomial &)> isParameter;
  /// Where strides alone do not tell which dimension is the outer one, the
  /// one with the variable of the lower rank is.
  llvm::function_ref<unsigned(unsigned)> rankOf;
};

/// Layouts that some of the flat subscripts suggest, the one-dimensional one
/// first, simpler ones before others.
llvm::SmallVector<ArrayLayout> proposeLayouts(llvm::ArrayRef<Polynomial> flats,
                                              VariableTraits traits);

/// The subscripts of `flat` in `layout`, one per dimension.
llvm::SmallVector<Polynomial> splitSubscript(const Polynomial &flat,
                                             const ArrayLayout &layout);

/// True where each subscript is a sum of variables and of products of
/// parameters.
bool fitsLayout(llvm::ArrayRef<Polynomial> subscripts, VariableTraits traits);

} // namespace gpuopt

#endif // PASSES_RAISING_DELINEARIZATION_H
