//===- IndexBuilder.h - polynomials back to IR ------------------*- C++ -*-===//
//
// Makes `index` values and affine expressions from the polynomials of
// IntegerValues. Ids, parameters and what is computed from parameters alone
// are made once, at the top of the kernel: there they are affine symbols.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_RAISING_INDEXBUILDER_H
#define PASSES_RAISING_INDEXBUILDER_H

#include "passes/Analysis/IntegerValues.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Builders.h"

namespace gpuopt {

/// Affine expressions over shared operands, all dimensions.
struct AffineForms {
  llvm::SmallVector<mlir::AffineExpr> exprs;
  llvm::SmallVector<mlir::Value> operands;
  /// Why the last polynomial has no affine form; empty where it has.
  std::string reason;
};

class IndexBuilder {
public:
  IndexBuilder(mlir::gpu::GPUFuncOp kernel, IntegerValues &values);

  /// An index that equals the polynomial modulo 2^64, at the builder's
  /// position: an existing value, an `affine.apply` where no part of the sum
  /// can leave 64 bits, or `arith` operations, which may. `isExact` tells that
  /// the polynomial itself, as a signed number, does not leave them.
  mlir::Value build(mlir::OpBuilder &builder, mlir::Location loc,
                    const Polynomial &polynomial, bool isExact);

  /// The same at the top of the kernel, for a polynomial over parameters.
  mlir::Value buildParameter(const Polynomial &polynomial);

  /// At the top, `dividend` / `divisor`, of parameters, rounded down; 0 where
  /// the divisor is not positive.
  mlir::Value buildQuotient(const Polynomial &dividend,
                            const Polynomial &divisor);

  /// Tells that `to` has taken the place of `from`, which goes away.
  void replace(mlir::Value from, mlir::Value to) { replaced[from] = to; }

  /// Where the top is.
  mlir::OpBuilder &getTop() { return top; }

  /// Appends the polynomial's affine expression to `forms`, or says why there
  /// is none: a product of two non-parameters, an opaque operand.
  bool appendAffine(const Polynomial &polynomial, AffineForms &forms);

  /// The map and operands of `forms`, simplified, symbols where possible.
  std::pair<mlir::AffineMap, llvm::SmallVector<mlir::Value>>
  getMap(const AffineForms &forms);

private:
  bool isExactSum(const Polynomial &polynomial, bool isExact) const;
  mlir::Value getAtom(unsigned variable);
  mlir::Value buildAtom(unsigned variable);
  mlir::Value castToIndex(mlir::Value value, bool isUnsigned);
  mlir::Value buildArith(mlir::OpBuilder &builder, mlir::Location loc,
                         const Polynomial &polynomial);
  /// The value, computed again at the top of the kernel if need be.
  mlir::Value hoist(mlir::Value value);
  mlir::AffineExpr addOperand(mlir::Value value, AffineForms &forms);
  mlir::AffineExpr getTerm(const Monomial &monomial, AffineForms &forms);

  mlir::gpu::GPUFuncOp kernel;
  IntegerValues &values;
  /// Inserts before everything that the kernel had.
  mlir::OpBuilder top;
  llvm::DenseMap<unsigned, mlir::Value> atoms;
  std::map<Polynomial, mlir::Value> parameters;
  llvm::DenseMap<mlir::Value, mlir::Value> hoisted;
  llvm::DenseMap<mlir::Value, mlir::Value> replaced;
};

/// Erases operations that nothing uses and that have no effect.
void eraseDeadOperations(mlir::gpu::GPUFuncOp kernel);

} // namespace gpuopt

#endif // PASSES_RAISING_INDEXBUILDER_H
