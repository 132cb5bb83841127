//===- PrefetchLegality.h - what a tile allows ------------------*- C++ -*-===//

#ifndef PASSES_TRANSFORMS_PREFETCH_PREFETCHLEGALITY_H
#define PASSES_TRANSFORMS_PREFETCH_PREFETCHLEGALITY_H

#include "passes/Transforms/Prefetch/PrefetchLoop.h"

namespace gpuopt {

/// Why the tiles of `tile` cannot get one copy for each of several iterations;
/// nothing where they can.
std::optional<Refusal> checkStages(TileLoop &tile);

/// Why the fill cannot be done by asynchronous copies.
std::optional<Refusal> checkAsyncCopies(const TileLoop &tile,
                                        const AccessFunctions &accesses);

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_PREFETCH_PREFETCHLEGALITY_H
