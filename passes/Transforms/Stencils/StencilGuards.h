//===- StencilGuards.h - who needs an element of a tile ---------*- C++ -*-===//

#ifndef PASSES_TRANSFORMS_STENCILS_STENCILGUARDS_H
#define PASSES_TRANSFORMS_STENCILS_STENCILGUARDS_H

#include "passes/Transforms/Stencils/StencilPlan.h"

namespace gpuopt {

/// Completes `tile`, whose loads have their offsets and conditions, with boxes
/// of offsets and the conditions that are common to all.
void computeGuards(const StagingContext &context, AccessFunctions &functions,
                   StencilTile &tile);

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_STENCILS_STENCILGUARDS_H
