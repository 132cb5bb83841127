//===- ArrayExtents.h - how far a kernel reaches into its arrays -*- C++ -*-==//
//
// For each parameter that points to an array, how many elements from its start
// on the kernel may touch: an upper bound over the scalar arguments, from the
// guards and loops around every access.
//
//   if (idx < n && idy < m)
//     for (int i = 0; i < k; i++)
//       … a[idy * k + i] …              a: (m - 1)*k + k - 1 + 1 elements
//
// Without a guard the launch bounds the ids, where it has the size of the
// original one. Arrays of host code in MLIR have the extents that it declares.
//
// Whether two arrays of a launch overlap follows from it (see
// kDistinctAttrName).
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_ANALYSIS_ARRAYEXTENTS_H
#define PASSES_ANALYSIS_ARRAYEXTENTS_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/AffineMap.h"

#include <string>

namespace gpuopt {

/// The elements of one array that a kernel may touch.
struct ArrayExtent {
  /// The kernel's argument.
  unsigned argument = 0;
  /// Maps the kernel's arguments (argument i is symbol i) and what is behind
  /// them, the launch's grid and block (see `kRequiresAttrName`), to numbers of
  /// elements, one result for each way in which the kernel accesses the array:
  /// all accesses are to elements from 0 up to the largest result. Null where
  /// that is not known.
  mlir::AffineMap elements;
  /// Why `elements` is null.
  std::string reason;
};

/// The extents of all arrays that `kernel`, written in terms of
/// `gpu.global_id`, accesses, in the order of its arguments.
llvm::SmallVector<ArrayExtent> computeArrayExtents(mlir::gpu::GPUFuncOp kernel);

/// The integer arguments that places in arrays are made of, `first` and `ldc`
/// of `c[first + y * ldc + x]`, and that may be negative for all that is known:
/// nobody can say then what lies before an array's start.
llvm::SmallVector<unsigned> findSignedDistances(mlir::gpu::GPUFuncOp kernel);

} // namespace gpuopt

#endif // PASSES_ANALYSIS_ARRAYEXTENTS_H
