//===- WarpgroupProduct.h - wgmma in inline PTX -----------------*- C++ -*-===//
//
// LLVM has no intrinsic for `wgmma.mma_async`, so a statement of inline PTX is
// how CUDA's libraries, and our own import of PTX, have it:
//
//   { .reg .pred p; setp.ne.b32 p, $66, 0;
//     wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16
//         {$0, $1, $2, $3}, $64, $65, p, 1, 1, 0, 1; }
//
//===----------------------------------------------------------------------===//

#ifndef RUNTIME_CPU_WARPGROUPPRODUCT_H
#define RUNTIME_CPU_WARPGROUPPRODUCT_H

#include "runtime/CPU/MatrixProducts.h"

#include "llvm/ADT/SmallVector.h"

namespace gpuopt::runtime {

/// The only instruction that does something in a statement. Operands are `$1`,
/// one of the statement's, or a number.
struct WarpgroupProduct {
  /// Of one of the four subgroups.
  MatrixUnit unit;
  llvm::SmallVector<llvm::StringRef, 0> sums;
  /// Registers, or one descriptor of a matrix in workgroup memory.
  llvm::SmallVector<llvm::StringRef, 4> rows;
  bool rowsAreInRegisters = false;
  llvm::StringRef columns;
  /// Zero where the sums begin with the products.
  llvm::StringRef accumulates;
  /// 1 or -1, by which a matrix is multiplied; empty for 1.
  llvm::StringRef rowScale, columnScale;
  /// 1 for a matrix in workgroup memory whose products of one sum are not
  /// beside each other; empty for 0.
  llvm::StringRef rowsAreTransposed, columnsAreTransposed;
};

/// Nothing where `assembly` is, or does, anything else.
std::optional<WarpgroupProduct> parseWarpgroupProduct(llvm::StringRef assembly);

} // namespace gpuopt::runtime

#endif // RUNTIME_CPU_WARPGROUPPRODUCT_H
