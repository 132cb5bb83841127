//===- LoopLength.h - how far a loop counts ---------------------*- C++ -*-===//
//
// `upper - lower` is how far a loop counts, where it runs: where it does not,
// the difference may wrap around to what looks like iterations.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_RAISING_LOOPLENGTH_H
#define PASSES_RAISING_LOOPLENGTH_H

#include "mlir/IR/Builders.h"

namespace gpuopt {

/// How far it is from `lower` to `upper`, two values of type `index`; with
/// `inclusive` to the number behind `upper`.
class LoopLength {
public:
  LoopLength(mlir::Value lower, mlir::Value upper, bool inclusive = false);

  /// The length, 0 for a loop that does not run; from 2^63 on an unsigned
  /// number.
  mlir::Value emit(mlir::OpBuilder &builder, mlir::Location loc) const;
  /// The same, but for a loop that does not run 0 or less.
  mlir::Value emitBound(mlir::OpBuilder &builder, mlir::Location loc) const;

  /// Whether it is known to be below 2^63.
  bool fits() const { return isBelowEnd; }

private:
  mlir::Value emitDifference(mlir::OpBuilder &builder,
                             mlir::Location loc) const;

  mlir::Value lower, upper;
  bool inclusive;
  /// Whether the difference does not wrap where the loop runs, and where the
  /// loop does not run.
  bool isBelowEnd, isAboveBegin;
};

} // namespace gpuopt

#endif // PASSES_RAISING_LOOPLENGTH_H
