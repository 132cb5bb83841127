//===- ExchangeStores.h - stores by other threads ---------------*- C++ -*-===//
//
// A store like c[idx * h + idy] = v of a transpose is coalesced when the block
// does it in another order than that of its threads. The values change hands in
// a tile of workgroup memory, whose last dimension is that of the smallest
// stride of the address:
//
//   tile[tx][ty] = v
//   barrier
//   affine.parallel (%x, %y) = (0, 0) to (16, 16) {
//     if (condition for thread (%x, %y))
//       c[(bx*16 + %x) * h + by*16 + %y] = tile[%x][%y]
//   } {gpuopt.collective}
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_TRANSFORMS_COALESCE_EXCHANGESTORES_H
#define PASSES_TRANSFORMS_COALESCE_EXCHANGESTORES_H

#include "passes/Transforms/Coalesce/StagingPlan.h"

namespace gpuopt {

/// A store to exchange; `op` is null where nothing is to be done.
struct ExchangePlan {
  mlir::Operation *op = nullptr;
  /// The thread ids, slowest first.
  llvm::SmallVector<TileDimension> dimensions;
  /// What the thread that stores checks.
  llvm::SmallVector<Condition> conditions;
  double sectorsBefore = 0;
  double sectorsAfter = 0;
};

/// Plans to exchange `store`; `functions` are those of the kernel.
ExchangePlan planExchange(const StagingContext &context,
                          const AccessFunctions &functions,
                          mlir::Operation *store,
                          std::vector<MissedAccess> &missed);

/// Rewrites `plan.op`.
void applyExchange(const StagingContext &context, const ExchangePlan &plan);

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_COALESCE_EXCHANGESTORES_H
