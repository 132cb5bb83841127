//===- Addresses.h - are two elements of an array distinct? -----*- C++ -*-===//
//
// Subscripts of a view need not stay in their dimensions, so two accesses are
// told apart by their addresses, polynomials over ids, iterators and sizes:
//
//   read            write           difference     distinct, since
//   b[j][idx]       b[i][idx]       (i - j)*n      j < i and 0 <= idx < n
//   b[i+1][idx]     b[i][idx]       -n             0 <= idx < n
//   b[j][idx+1]     b[i][idx]       (i - j)*n - 1  if also 2 <= n
//
// A difference q*s + r, s the length of a row, is not 0 where q >= 1, s >= 0
// and s + r >= 1, which are linear questions (see Entailment.h). Array elements
// are closer than 2^63, so that addresses modulo 2^64 are distinct as well.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_TRANSFORMS_UTILS_ADDRESSES_H
#define PASSES_TRANSFORMS_UTILS_ADDRESSES_H

#include "passes/Analysis/IntegerValues.h"

namespace gpuopt {

/// Where a load or store finds its element.
struct ElementAddress {
  /// The array behind all views.
  mlir::Value root;
  mlir::Type elementType;
  /// Elements from the array's start.
  Polynomial offset;
  /// Elements per step of each dimension of the view.
  llvm::SmallVector<Polynomial> strides;
};

/// The address of `access`; nothing for operations that are no load or store,
/// and for views that are no `memref.reinterpret_cast` of an array.
std::optional<ElementAddress> getElementAddress(mlir::Operation *access,
                                                IntegerValues &values);

/// Whether `difference`, of the offsets of two accesses of views with these
/// strides, cannot be 0 where every one of `facts` is not negative.
bool provesNonZero(const Polynomial &difference,
                   llvm::ArrayRef<Polynomial> strides,
                   llvm::ArrayRef<Polynomial> facts,
                   const IntegerValues &values);

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_UTILS_ADDRESSES_H
