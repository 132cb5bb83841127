//===- LoopRange.h - room for a loop's iterator -----------------*- C++ -*-===//
//
// A transform that takes many of a loop's steps at once, looks some steps
// ahead, or subtracts the iterator from the loop's end computes numbers that
// the source never has. They must not wrap at the ends of 64 bits:
//
//   for (long long i = lo; i < lo + k; ++i)        lo = 2^63 - 8, k = 5
//   affine.for %i = %lo to %lo + %k step 16        lo + 16 is below lo + k
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_ANALYSIS_LOOPRANGE_H
#define PASSES_ANALYSIS_LOOPRANGE_H

#include "passes/Analysis/Interval.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"

namespace gpuopt {

/// Whether an iterator that begins in `begin` is far from the ends of 64 bits:
/// far enough for small steps not to get there in a lifetime of a launch.
bool isFarFromEnds(Interval begin);

/// Whether `end - begin` does not wrap where a loop from `begin` to `end` runs,
/// with `inclusive` to the number behind; and where it does not run.
bool isLengthFinite(Interval begin, Interval end, bool inclusive = false);
bool isDeficitFinite(Interval begin, Interval end);

/// Whether the iterator of `loop`, an `affine.for` or `scf.for`, keeps so far
/// from the ends of 64 bits that thousands of steps more do not wrap.
bool hasRoomToStep(mlir::Operation *loop);

/// Why a transform leaves a loop without room alone.
inline constexpr char kNoRoomReason[] =
    "a longer step might wrap at the end of 64 bits";

/// Whether also `end - begin` does not wrap in front of `loop`, which need not
/// run at all. Where it runs for a lifetime it may.
bool hasRoomForLength(mlir::affine::AffineForOp loop);

} // namespace gpuopt

#endif // PASSES_ANALYSIS_LOOPRANGE_H
