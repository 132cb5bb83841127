//===- LoopRemainder.h - iterations taken several at once -------*- C++ -*-===//
//
// A loop that takes `factor` iterations at once leaves a remainder to a second
// one:
//
//   affine.for %i = lower to end step factor      end = lower + trips floordiv
//   affine.for %i = max(lower, end) to upper            factor * factor
//
// Where `upper` lies before `lower`, trips is negative and `end` lies before
// both: a remainder from there would have iterations that the source has not.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_TRANSFORMS_UTILS_LOOPREMAINDER_H
#define PASSES_TRANSFORMS_UTILS_LOOPREMAINDER_H

#include "mlir/Dialect/Affine/IR/AffineOps.h"

namespace gpuopt {

/// A map with one result, and its operands.
struct LoopEnd {
  mlir::AffineMap map;
  llvm::SmallVector<mlir::Value> operands;
};

/// Where the last `factor` iterations of `loop` in a row end. The loop has one
/// begin and one end, and its length does not wrap (LoopRange.h).
LoopEnd endOfWholeSteps(mlir::affine::AffineForOp loop, int64_t factor);

/// Lets `loop` do only what is left behind `end`.
void keepRemainder(mlir::affine::AffineForOp loop, const LoopEnd &end);

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_UTILS_LOOPREMAINDER_H
