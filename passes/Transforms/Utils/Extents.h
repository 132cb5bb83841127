//===- Extents.h - the part of a launch that a kernel acts on ---*- C++ -*-===//
//
// A naive kernel guards what it does: `if (idx >= n) return;`. Where every
// effect of the kernel is guarded by `id_d < E_d`, with E_d an expression of
// the kernel's arguments, work items beyond E_d do nothing, and a launch may
// have more of them than the original. See `GeometryAttr`.
//
//   guard                          extent over arguments s0, s1, …
//   idx < n                        s0
//   idx + 1 < n                    s0 - 1
//   2 * idx <= n                   (s0 + 1) ceildiv 2
//   idx < (unsigned) n             s0 mod 4294967296
//   idx < (size_t) n               s0, where it is not negative
//   in blocks of a known size T, whose number the kernel does not read:
//   blockIdx.x * T + threadIdx.x < n  s0
//   blockIdx.x < n                 s0 * T
//
// In such blocks barriers, and accesses of workgroup memory that every block
// makes alike, need no guard: another block makes them, too.
//
// `IntegerValues` reads the guards.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_TRANSFORMS_UTILS_EXTENTS_H
#define PASSES_TRANSFORMS_UTILS_EXTENTS_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/AffineExpr.h"
#include "llvm/ADT/SetVector.h"

namespace gpuopt {

/// The extents of a kernel in x, y, z.
struct Extents {
  /// Over the kernel's arguments, argument i is symbol i: all that guard it, of
  /// which the least one counts; none where nothing does.
  std::array<llvm::SmallVector<mlir::AffineExpr, 1>, 3> ends;
  /// Launches in which one of these is negative have other extents.
  llvm::SmallSetVector<mlir::AffineExpr, 2> nonNegative;

  /// One of those along a dimension; null where there is none.
  mlir::AffineExpr end(unsigned dim) const {
    return ends[dim].empty() ? mlir::AffineExpr() : ends[dim].front();
  }
};

/// The extents of a kernel that is written in terms of `gpu.global_id`, or for
/// blocks of its `known_block_size`.
Extents findExtents(mlir::gpu::GPUFuncOp kernel);

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_UTILS_EXTENTS_H
