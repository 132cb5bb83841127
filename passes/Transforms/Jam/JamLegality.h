//===- JamLegality.h - dependences that forbid to jam a nest ----*- C++ -*-===//
//
// In the order of JamNest.h, `before` and the inner iterations of an outer
// iteration y = x + d (0 < d < T) run ahead of the later parts of x. For each
// pair of such accesses, one of them a write, the addresses are shown to
// differ, for y and all inner iterations that may be meant. Iterations of
// another thread are ordered by barriers only, and the nest has none.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_TRANSFORMS_JAM_JAMLEGALITY_H
#define PASSES_TRANSFORMS_JAM_JAMLEGALITY_H

#include "passes/Transforms/Jam/JamNest.h"

namespace gpuopt {

/// Returns the dependence that keeps parts of the nest from being reordered,
/// or nothing.
std::string whyDependent(mlir::gpu::GPUFuncOp kernel, const JamNest &nest);

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_JAM_JAMLEGALITY_H
