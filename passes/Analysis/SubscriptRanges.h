//===- SubscriptRanges.h - do subscripts stay in their dimensions? -*- C++ -*-//
//
// Delinearisation promises equal addresses, not that a column is less than its
// row's length. Who wants to tell two elements apart by their subscripts
// (dependences, copies of tiles) asks here; the proof uses the guards and
// loops around the access. `A[idy][i]` with `for (i = 0; i < k; …)` is proven
// for the column of an array with rows of k elements.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_ANALYSIS_SUBSCRIPTRANGES_H
#define PASSES_ANALYSIS_SUBSCRIPTRANGES_H

#include "passes/Analysis/DominatingFacts.h"

namespace gpuopt {

/// Whether each subscript of a load or store (`memref`, `affine`) from
/// dimension `first` on is proven to be in [0, extent). The extents are those
/// of the memref's type or of the `memref.reinterpret_cast` it is from. The
/// answer is the same for equal subscripts of the same memref in the same
/// block.
bool proveSubscripts(mlir::Operation *access, unsigned first,
                     DominatingFacts &facts);

/// The first of the dimensions of `memref` that are packed: rows lie one behind
/// the other, in the type's layout or by the strides of the
/// `memref.reinterpret_cast` that it is from. Two elements with equal
/// subscripts before it are different ones if their other subscripts differ,
/// given that those after it are in their dimensions. 0 where all are packed
/// (row-major), 1 for matrices of a batch at any distance, the rank where none.
unsigned getFirstPackedDimension(mlir::Value memref, IntegerValues &values);

/// The subscripts of a load or store as polynomials.
llvm::SmallVector<Polynomial> getSubscripts(mlir::Operation *access,
                                            IntegerValues &values);

/// The memref that a load or store accesses; null for other operations.
mlir::Value getAccessedMemRef(mlir::Operation *access);

} // namespace gpuopt

#endif // PASSES_ANALYSIS_SUBSCRIPTRANGES_H
