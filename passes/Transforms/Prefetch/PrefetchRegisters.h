//===- PrefetchRegisters.h - data of the next iteration ---------*- C++ -*-===//
//
// A rewrite of gpuopt-prefetch-tiles: it takes a loop that `recogniseTileLoop`
// accepts and changes what the kernel computes in no way.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_TRANSFORMS_PREFETCH_PREFETCHREGISTERS_H
#define PASSES_TRANSFORMS_PREFETCH_PREFETCHREGISTERS_H

#include "passes/Transforms/Prefetch/PrefetchLoop.h"

namespace gpuopt {

/// Loads the next iteration's data into registers while this one computes
/// (thesis, figure 3.8).
void prefetchIntoRegisters(TileLoop &tile);

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_PREFETCH_PREFETCHREGISTERS_H
