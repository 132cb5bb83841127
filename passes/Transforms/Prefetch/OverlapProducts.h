//===- OverlapProducts.h - products of the iteration before -----*- C++ -*-===//
//
// A warpgroup need not wait for the products of an iteration before it begins
// those of the next: they add to the same sums, and the unit never runs dry.
// Their tiles stay until then, so that there is one stage less to fill.
//
//   for j:
//     wait for tile j; barrier          all are through with tile j - 2
//     fill the stage of tile j - 2
//     begin the products of tile j; wait for those of tile j - 1
//   wait for all
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_TRANSFORMS_PREFETCH_OVERLAPPRODUCTS_H
#define PASSES_TRANSFORMS_PREFETCH_OVERLAPPRODUCTS_H

#include "passes/Transforms/Prefetch/PrefetchLoop.h"

namespace gpuopt {

/// Whether `tile` has products of warpgroups.
bool hasWarpgroupProducts(TileLoop &tile);

/// Whether they may run on into the next iteration: all that is done with sums
/// in the loop is to add further products.
bool mayOverlapProducts(TileLoop &tile);

/// Lets them, and waits for them behind the loop. Tiles are in stages, of which
/// the one before the current is not filled.
void overlapProducts(TileLoop &tile);

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_PREFETCH_OVERLAPPRODUCTS_H
