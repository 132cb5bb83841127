//===- GuardedLoops.h - loops that a guard keeps short ----------*- C++ -*-===//
//
// A loop that is brought out of its guard runs in threads for which the guard
// is false, too. What it does is guarded, but how often it does nothing may
// depend on the guard:
//
//   if (x < n && y < n)          for (k < n)        n is at least as large
//   where
//     for (k < n)                                   the guard holds
//   if (x < m && n < 1000)       for (k < n)        n may be 2^31 - 1
//   if (x < n)                   for (k < (unsigned)n - x)
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_TRANSFORMS_UTILS_GUARDEDLOOPS_H
#define PASSES_TRANSFORMS_UTILS_GUARDEDLOOPS_H

#include "passes/Analysis/Conditions.h"
#include "passes/Analysis/IntegerValues.h"

namespace gpuopt {

/// Whether the iterations of `loop`, an `affine.for` or `scf.for`, may be fewer
/// for the sake of `guard`.
bool mayKeepShort(Condition guard, mlir::Operation *loop,
                  IntegerValues &values);

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_UTILS_GUARDEDLOOPS_H
