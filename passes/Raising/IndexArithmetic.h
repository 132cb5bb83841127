//===- IndexArithmetic.h - integers of the source as indices ----*- C++ -*-===//
//
// Rebuilds the arithmetic behind an integer in `index`, which is 64 bits wide,
// exactly. An N-bit value reaches an index by sign or zero extension, and an
// extension moves inwards only where nothing can wrap:
//
//   sext(a +nsw b)                 sext(a) + sext(b)
//   sext(cast(i))                  i, where i is known to lie in N bits
//   zext(a +nuw b)                 zext(a) + zext(b)
//   zext(a +nsw b)                 sext(a) + sext(b), where neither is negative
//   sext(a + b)                    stays a cast of the N-bit sum, unless the
//                                  ranges of a and b exclude overflow
//   64-bit a + b                   a + b: both wrap alike
//
// `IntegerValues` tells the ranges.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_RAISING_INDEXARITHMETIC_H
#define PASSES_RAISING_INDEXARITHMETIC_H

#include "passes/Analysis/IntegerValues.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"

namespace gpuopt {

/// Builds indices from integers, for each value and sign once.
class IndexArithmetic {
public:
  explicit IndexArithmetic(mlir::gpu::GPUFuncOp kernel)
      : builder(kernel.getContext()), values(kernel) {}

  /// `value`, a signless integer of at most 64 bits, extended to `index`.
  mlir::Value extend(mlir::Value value, bool isSigned);

private:
  mlir::Value build(mlir::Value value, bool isSigned);
  mlir::Value buildSum(mlir::Operation *op, bool isSigned);
  mlir::Value buildBits(mlir::Operation *op, bool isSigned);
  mlir::Value buildQuotient(mlir::Operation *op, bool isSigned);
  mlir::Value buildFromCast(mlir::Operation *op, bool isSigned);
  bool fits(mlir::Operation *op, const Polynomial &polynomial, bool isSigned);
  bool isNonNegative(mlir::Operation *op, mlir::Value operand, bool isSigned);

  mlir::OpBuilder builder;
  /// Of the integers as they are; casts to indices in them may have been
  /// replaced by equal values.
  IntegerValues values;
  llvm::DenseMap<std::pair<mlir::Value, unsigned>, mlir::Value> built;
};

/// Moves index arithmetic of the top level to the guards that surround its
/// uses: they bound it. Symbols of affine operations stay.
void sinkArithmetic(mlir::gpu::GPUFuncOp kernel);

} // namespace gpuopt

#endif // PASSES_RAISING_INDEXARITHMETIC_H
