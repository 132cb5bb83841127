//===- StripLoop.h - loops whose iterations are taken in strips -*- C++ -*-===//

#ifndef PASSES_TRANSFORMS_UTILS_STRIPLOOP_H
#define PASSES_TRANSFORMS_UTILS_STRIPLOOP_H

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

namespace gpuopt {

/// `left` and `right`, either of which may be null.
mlir::Value conjoin(mlir::OpBuilder &builder, mlir::Location loc,
                    mlir::Value left, mlir::Value right);

mlir::Value lessThan(mlir::OpBuilder &builder, mlir::Location loc,
                     mlir::Value left, mlir::Value right);

/// The number of iterations of an `affine.for` or `scf.for`, where it is known.
std::optional<int64_t> constantTripCount(mlir::Operation *loop);

/// A counted loop whose iterations are taken in strips of `iterations`.
class StripLoop {
public:
  StripLoop(mlir::Operation *source, int64_t count)
      : loop(mlir::cast<mlir::LoopLikeOpInterface>(source)), iterations(count) {
  }

  /// Creates the loop over strips in front of the original, without a
  /// terminator. The builder then stands in its body.
  void createOuter(mlir::OpBuilder &builder);
  /// Creates the loop over one strip, with the original's body, between two
  /// barriers; under `guard`, where there is one, for threads that come along
  /// for the barriers only. Returns what it carries on.
  mlir::ValueRange createInner(mlir::OpBuilder &builder, mlir::Value guard);
  /// Ends the loop over strips and replaces the original.
  void finish(mlir::OpBuilder &builder, mlir::ValueRange carried);

  /// The iterator's value in iteration `number` of the strip.
  mlir::Value iteratorAt(mlir::OpBuilder &builder, mlir::Value number);
  /// Adds the conditions for `iterator` to lie in the loop, if any.
  mlir::Value addBounds(mlir::OpBuilder &builder, mlir::Value iterator,
                        mlir::Value conjunction);

  mlir::Value originalIterator() { return (*loop.getLoopInductionVars())[0]; }
  mlir::Location getLoc() { return loop.getLoc(); }
  mlir::ValueRange outerCarried() { return outer.getRegionIterArgs(); }
  mlir::LoopLikeOpInterface getInner() { return inner; }
  /// The iteration of the strip.
  mlir::Value stripIterator() { return (*inner.getLoopInductionVars())[0]; }

  /// Whether all strips are of `iterations` iterations.
  bool isDivisible();
  /// Upper bounds of the number of iterations from this strip on, of which the
  /// least is that number; of an `affine.for` that counts by 1.
  llvm::SmallVector<mlir::Value> remaining(mlir::OpBuilder &builder);
  /// The iterator's value in the first iteration of the strip.
  mlir::Value stripBegin() { return (*outer.getLoopInductionVars())[0]; }

private:
  void moveBody(mlir::OpBuilder &builder);
  int64_t step();
  mlir::Value stripLength(mlir::OpBuilder &builder);
  mlir::AffineMap stripBound(mlir::affine::AffineForOp original,
                             llvm::SmallVectorImpl<mlir::Value> &operands);

  mlir::LoopLikeOpInterface loop;
  mlir::LoopLikeOpInterface outer;
  mlir::LoopLikeOpInterface inner;
  int64_t iterations;
};

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_UTILS_STRIPLOOP_H
