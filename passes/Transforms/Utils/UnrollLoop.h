//===- UnrollLoop.h - copies of a loop's body -------------------*- C++ -*-===//
//
// Upstream's `affine::loopUnrollFull` and `affine::loopUnrollByFactor`, but for
// loops that hand on an argument of an iteration to the next one, too:
//
//   previous, current = current, a[i]
//
// Of these upstream (LLVM 22) takes the value of the first iteration for that
// of the last.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_TRANSFORMS_UTILS_UNROLLLOOP_H
#define PASSES_TRANSFORMS_UTILS_UNROLLLOOP_H

#include "mlir/Dialect/Affine/IR/AffineOps.h"

namespace gpuopt {

/// Writes the iterations of `loop`, of which the number is constant, one behind
/// the other.
llvm::LogicalResult unrollFully(mlir::affine::AffineForOp loop);

/// Lets an iteration of `loop` do what `factor` ones did; what is left over
/// gets a loop of its own.
llvm::LogicalResult unrollBy(mlir::affine::AffineForOp loop, uint64_t factor);

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_UTILS_UNROLLLOOP_H
