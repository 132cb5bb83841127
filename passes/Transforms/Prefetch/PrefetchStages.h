//===- PrefetchStages.h - several copies of a tile --------------*- C++ -*-===//
//
// A rewrite of gpuopt-prefetch-tiles: it takes a loop that `recogniseTileLoop`
// accepts and changes what the kernel computes in no way.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_TRANSFORMS_PREFETCH_PREFETCHSTAGES_H
#define PASSES_TRANSFORMS_PREFETCH_PREFETCHSTAGES_H

#include "passes/Transforms/Prefetch/PrefetchLoop.h"

namespace gpuopt {

/// Gives the tiles `stages` copies, so that a fill need not wait until the
/// computation is through with the tile before. With `async` the data goes past
/// the registers and `stages - 1` fills are on their way at a time; else it is
/// loaded before the computation and stored behind it, `stages` is 2. With
/// `overlaps` (and `async`, and 3 stages or more) products of warpgroups run on
/// into the next iteration, and one fill less is on its way.
void prefetchIntoStages(TileLoop &tile, int64_t stages, bool async,
                        bool overlaps = false);

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_PREFETCH_PREFETCHSTAGES_H
