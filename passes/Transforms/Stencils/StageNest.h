//===- StageNest.h - nests of loops to read tiles ---------------*- C++ -*-===//

#ifndef PASSES_TRANSFORMS_STENCILS_STAGENEST_H
#define PASSES_TRANSFORMS_STENCILS_STAGENEST_H

#include "passes/Transforms/Stencils/NestPlan.h"

namespace gpuopt {

/// Rewrites the loads of `plan`:
///
///   for %i = … { for %j = 0 to %n { … load %a[%idy + %i, %idx + %j] … } }
///
/// becomes, with the original in the else region where %n may be above T,
///
///   if (1 <= %n && %n <= T) for %i0 = … step T {
///     affine.parallel (%u, %v) = (0, 0) to (B + T - 1, B + T - 1) {
///       if … { tile[%u, %v] = load %a[%by * B + %u + %i0, %bx * B + %v] }
///     } {gpuopt.collective}
///     gpu.barrier
///     for %i = 0 to min(T, …) { for %j … { … tile[%ty + %i, %tx + %j] … } }
///     gpu.barrier
///   }
void applyNest(const StagingContext &context, NestPlan &plan);

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_STENCILS_STAGENEST_H
