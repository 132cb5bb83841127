//===- IndexUses.h - where operations take index expressions ----*- C++ -*-===//
//
// Operations take indices in many shapes: subscripts with an affine map, bounds
// of a loop, the set of an `affine.if`, plain operands. Here each is an affine
// map over values that no `affine.apply` computes:
//
//   operation                                 map and operands
//   affine.load %a[%i + 1]                    (d0) -> (d0 + 1)(%i)
//   memref.load %a[%j], %j = apply(%i * 2)    (d0) -> (d0 * 2)(%i)
//   affine.for %k = 0 to %n                   () -> (0), ()[s0] -> (s0)[%n]
//   arith.cmpi slt, %j, %n                    (d0) -> (d0 * 2)(%i)
//
// `affine.apply` itself has none: what matters is who uses it.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_TRANSFORMS_UTILS_INDEXUSES_H
#define PASSES_TRANSFORMS_UTILS_INDEXUSES_H

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace gpuopt {

/// One place where an operation takes index expressions.
struct IndexUse {
  enum class Kind {
    AffineAccess, ///< all subscripts of an affine access
    Access,       ///< all subscripts of another access
    LowerBound,   ///< of an `affine.for`
    UpperBound,   ///< of an `affine.for`
    Set,          ///< the condition of an `affine.if`
    Map,          ///< the map of an `affine.min` or `affine.max`
    Operand,      ///< operand `number`
  };
  mlir::Operation *op;
  Kind kind;
  unsigned number = 0;
  mlir::AffineMap map = {};
  llvm::SmallVector<mlir::Value> operands = {};

  /// The memref of an access; null for other uses.
  mlir::Value getMemref() const;
};

/// The places where `op` itself takes indices. Plain operands are listed where
/// they are ids or results of `affine.apply`.
llvm::SmallVector<IndexUse> indexUsesOf(mlir::Operation *op);

/// Lets the operation of `use` take `map` of `operands` there.
void setIndexUse(const IndexUse &use, mlir::AffineMap map,
                 mlir::ValueRange operands);

/// Whether `op` loads from or stores to memory by subscripts.
bool isSubscriptedAccess(mlir::Operation *op);

/// Adds `offset` to subscript `number` of an access.
void shiftSubscript(mlir::Operation *access, unsigned number, int64_t offset);

/// Composes and simplifies the index expressions of affine operations in
/// `kernel`: `(t floordiv 16) * 16 + t mod 16` is `t`.
void simplifyIndices(mlir::gpu::GPUFuncOp kernel);

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_UTILS_INDEXUSES_H
