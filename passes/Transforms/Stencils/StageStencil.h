//===- StageStencil.h - loads of neighbours to tiles ------------*- C++ -*-===//

#ifndef PASSES_TRANSFORMS_STENCILS_STAGESTENCIL_H
#define PASSES_TRANSFORMS_STENCILS_STAGESTENCIL_H

#include "passes/Transforms/Stencils/StencilPlan.h"

namespace gpuopt {

/// Rewrites the loads of `plan`:
///
///   scf.if %g { … load %a[%idy, %idx] … load %a[%idy + 1, %idx + 2] … }
///
/// becomes
///
///   affine.parallel (%u, %v) = (0, 0) to (By + 1, Bx + 2) {
///     if … { tile[%u, %v] = load %a[%by * By + %u, %bx * Bx + %v] }
///   } {gpuopt.collective}
///   gpu.barrier
///   scf.if %g { … tile[%ty, %tx] … tile[%ty + 1, %tx + 2] … }
void applyStencil(const StagingContext &context, StencilPlan &plan);

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_STENCILS_STAGESTENCIL_H
