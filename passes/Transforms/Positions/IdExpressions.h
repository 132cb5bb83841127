//===- IdExpressions.h - index expressions over ids -------------*- C++ -*-===//

#ifndef PASSES_TRANSFORMS_POSITIONS_IDEXPRESSIONS_H
#define PASSES_TRANSFORMS_POSITIONS_IDEXPRESSIONS_H

#include "passes/Transforms/Utils/IndexUses.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

#include <optional>

namespace gpuopt {

/// Whether `value` is the `Id` along `dimension`.
template <typename Id>
bool isId(mlir::Value value, mlir::gpu::Dimension dimension) {
  auto id = value.getDefiningOp<Id>();
  return id && id.getDimension() == dimension;
}

/// The expressions of an index use over three new dims in front of its own: the
/// id of the block, the id of the thread and the position.
struct IdExpressions {
  /// With `iterator`, that loop's iterator takes the place of the thread's id.
  IdExpressions(const IndexUse &use, mlir::gpu::Dimension dimension,
                mlir::Value iterator = {});

  mlir::AffineExpr block() const { return mlir::getAffineDimExpr(0, context); }
  mlir::AffineExpr thread() const { return mlir::getAffineDimExpr(1, context); }
  mlir::AffineExpr position() const {
    return mlir::getAffineDimExpr(2, context);
  }

  /// `expression` with `from` replaced, simplified.
  mlir::AffineExpr replace(mlir::AffineExpr expression, mlir::AffineExpr from,
                           mlir::AffineExpr to) const {
    return mlir::simplifyAffineExpr(expression.replace(from, to), numDims,
                                    numSymbols);
  }
  bool uses(mlir::AffineExpr expression, mlir::AffineExpr dim) const {
    return expression.isFunctionOfDim(
        llvm::cast<mlir::AffineDimExpr>(dim).getPosition());
  }
  /// `expression` with `stride * block + thread` written as the position, or
  /// null where it uses the block otherwise.
  mlir::AffineExpr inPositions(mlir::AffineExpr expression,
                               int64_t stride) const {
    mlir::AffineExpr result =
        replace(expression, thread(), position() - block() * stride);
    return uses(result, block()) ? mlir::AffineExpr() : result;
  }
  /// The same for a thread of `threads`. Where there is one, its id is 0.
  mlir::AffineExpr inThreadPositions(mlir::AffineExpr expression,
                                     int64_t threads) const {
    if (threads != 1)
      return inPositions(expression, threads);
    mlir::AffineExpr first =
        replace(expression, thread(), mlir::getAffineConstantExpr(0, context));
    return replace(first, block(), position());
  }
  /// How much `expression` grows with each step of `variable`, where that is
  /// always the same.
  std::optional<int64_t> slope(mlir::AffineExpr expression,
                               mlir::AffineExpr variable) const {
    mlir::AffineExpr step = mlir::simplifyAffineExpr(
        expression.replace(variable, variable + 1) - expression, numDims,
        numSymbols);
    if (auto constant = llvm::dyn_cast<mlir::AffineConstantExpr>(step))
      return constant.getValue();
    return std::nullopt;
  }

  mlir::MLIRContext *context;
  unsigned numDims, numSymbols;
  llvm::SmallVector<mlir::AffineExpr> results;
  /// The use's own operands that are dims.
  unsigned numOwnDims;
};

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_POSITIONS_IDEXPRESSIONS_H
