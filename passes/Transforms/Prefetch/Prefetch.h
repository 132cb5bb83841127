//===- Prefetch.h - the ways to load tiles ahead ----------------*- C++ -*-===//
//
// The rewrites of gpuopt-prefetch-tiles. Each takes a loop that
// `recogniseTileLoop` accepts and changes what the kernel computes in no way.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_TRANSFORMS_PREFETCH_PREFETCH_H
#define PASSES_TRANSFORMS_PREFETCH_PREFETCH_H

#include "passes/Transforms/Prefetch/PrefetchLoop.h"

namespace gpuopt {

/// Loads the next iteration's data into registers while this one computes
/// (thesis, figure 3.8).
void prefetchIntoRegisters(TileLoop &tile);

/// Why the tiles of `tile` cannot get one copy for each of several iterations;
/// nothing where they can.
std::optional<Refusal> checkStages(TileLoop &tile);

/// Why the fill cannot be done by asynchronous copies.
std::optional<Refusal> checkAsyncCopies(const TileLoop &tile,
                                        const AccessFunctions &accesses);

/// Gives the tiles `stages` copies, so that a fill need not wait until the
/// computation is through with the tile before. With `async` the data goes past
/// the registers and `stages - 1` fills are on their way at a time; else it is
/// loaded before the computation and stored behind it, `stages` is 2.
void prefetchIntoStages(TileLoop &tile, int64_t stages, bool async);

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_PREFETCH_PREFETCH_H
