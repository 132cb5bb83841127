//===- PrefetchLoop.h - loops that fill tiles and use them ------*- C++ -*-===//
//
// What prefetching works on. The threads of a block fill tiles in workgroup
// memory, meet, compute from the tiles, and meet again:
//
//   for %i = … {
//     fill       loads from global memory whose values go to tiles only, maybe
//                under guards or in short loops, and index arithmetic; there
//                may be two versions of it, with and without guards
//     barrier    the tiles are full
//     compute    anything that leaves the arrays alone that the fill reads
//     barrier    the tiles are free
//   }
//
// Everything a fill needs can be computed for another iteration from the
// iterator alone. So a fill may run early; what must stay behind a barrier are
// the stores to tiles that are still read.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_TRANSFORMS_PREFETCH_PREFETCHLOOP_H
#define PASSES_TRANSFORMS_PREFETCH_PREFETCHLOOP_H

#include "passes/Analysis/AccessFunction.h"
#include "passes/Analysis/Remarks.h"
#include "passes/Analysis/Uniformity.h"

#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/SetVector.h"

#include <variant>

namespace gpuopt {

/// A loop of the form above.
struct TileLoop {
  mlir::LoopLikeOpInterface loop;
  /// Between fill and compute, and behind compute.
  mlir::gpu::BarrierOp filled, consumed;
  /// The loads and stores of the fill, in the order of the operations.
  llvm::SmallVector<mlir::Operation *> loads, stores;
  /// Those of the code with guards beside that without (`kUnguardedAttrName`),
  /// which few blocks and iterations run.
  llvm::SmallVector<mlir::Operation *> guardedLoads, guardedStores;
  /// The workgroup arrays that it fills.
  llvm::SetVector<mlir::Value> tiles;

  /// Whether `op` stores to a tile in the fill.
  bool isFillStore(mlir::Operation *op) const {
    return llvm::is_contained(stores, op) ||
           llvm::is_contained(guardedStores, op);
  }
  mlir::Value iterator() { return *loop.getSingleInductionVar(); }
  mlir::Block &body() { return loop.getLoopRegions().front()->front(); }
};

/// The loops of `kernel` with a barrier directly in their body, outer first.
llvm::SmallVector<mlir::LoopLikeOpInterface>
findBarrierLoops(mlir::gpu::GPUFuncOp kernel);

/// Whether `loop` is known to have at most one iteration, as the rest of a
/// loop that was split into full tiles: there is nothing to prefetch.
bool hasAtMostOneIteration(mlir::LoopLikeOpInterface loop);

/// Takes `loop` apart, or returns why it is no loop over tiles that a fill may
/// run ahead in.
std::variant<TileLoop, Refusal>
recogniseTileLoop(mlir::LoopLikeOpInterface loop,
                  const UniformityAnalysis &uniformity);

/// The 32-bit registers that hold what the fill of one iteration loads. Counts
/// short loops as unrolled.
int64_t carriedRegisters(const TileLoop &tile);

/// Unrolls the loops in the fill, after which `loads` and `stores` are renewed.
void unrollFill(TileLoop &tile);

/// The array that `access` loads from or stores to; null for other operations.
mlir::Value accessedArray(mlir::Operation *access);
/// What `store` stores.
mlir::Value storedValue(mlir::Operation *store);
/// Bytes that one thread moves by `access`.
int64_t movedBytes(mlir::Operation *access);

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_PREFETCH_PREFETCHLOOP_H
