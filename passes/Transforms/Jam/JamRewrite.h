//===- JamRewrite.h - take iterations of an outer loop together -*- C++ -*-===//

#ifndef PASSES_TRANSFORMS_JAM_JAMREWRITE_H
#define PASSES_TRANSFORMS_JAM_JAMREWRITE_H

#include "passes/Transforms/Jam/JamNest.h"

namespace gpuopt {

/// Rewrites the nest. Returns the number of loads that have gone because their
/// datum was stored before in the same block of iterations.
unsigned jamNest(mlir::gpu::GPUFuncOp kernel, JamNest &nest,
                 int64_t maxOperations);

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_JAM_JAMREWRITE_H
