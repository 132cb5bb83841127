//===- Passes.td - transforms of raised kernels ------------*- tablegen -*-===//
//
// Every pass works on a `gpu.module` and visits its kernels, so that a new one (a
// fallback, a version) can be put beside the old.
//
//===----------------------------------------------------------------------===//

#ifndef GPUOPT_TRANSFORMS_PASSES_TD
#define GPUOPT_TRANSFORMS_PASSES_TD

include "passes/Transforms/Assumptions/Passes.td"
include "passes/Transforms/Banks/Passes.td"
include "passes/Transforms/Barriers/Passes.td"
include "passes/Transforms/BlockOrder/Passes.td"
include "passes/Transforms/CleanUp/Passes.td"
include "passes/Transforms/Coalesce/Passes.td"
include "passes/Transforms/Geometry/Passes.td"
include "passes/Transforms/Jam/Passes.td"
include "passes/Transforms/Merge/Passes.td"
include "passes/Transforms/Multiplex/Passes.td"
include "passes/Transforms/Prefetch/Passes.td"
include "passes/Transforms/Reduce/Passes.td"
include "passes/Transforms/Share/Passes.td"
include "passes/Transforms/Stencils/Passes.td"
include "passes/Transforms/Tensor/Passes.td"
include "passes/Transforms/Tiles/Passes.td"
include "passes/Transforms/Vectorize/Passes.td"
include "passes/Transforms/Versions/Passes.td"

#endif // GPUOPT_TRANSFORMS_PASSES_TD
