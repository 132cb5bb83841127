//===- ExchangeStores.h - stores by the transposed thread -------*- C++ -*-===//
//
// A store like c[idx * h + idy] = v of a transpose is coalesced when thread
// (tx, ty) does it on behalf of thread (ty, tx). The values change hands in a
// tile of workgroup memory:
//
//   tile[ty][tx] = v
//   barrier
//   if (condition for (ty, tx)) c[idx' * h + idy'] = tile[tx][ty]
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_TRANSFORMS_EXCHANGESTORES_H
#define PASSES_TRANSFORMS_EXCHANGESTORES_H

#include "passes/Transforms/StagingPlan.h"

namespace gpuopt {

/// A store to exchange; `op` is null where nothing is to be done.
struct ExchangePlan {
  mlir::Operation *op = nullptr;
  /// Elements added to each row of the tile.
  int64_t padding = 0;
  /// What the thread that stores checks.
  llvm::SmallVector<Condition> conditions;
  double sectorsBefore = 0;
  double sectorsAfter = 0;
};

ExchangePlan planExchange(const StagingContext &context, mlir::Operation *store,
                          std::vector<MissedAccess> &missed);

/// Rewrites `plan.op`.
void applyExchange(const StagingContext &context, const ExchangePlan &plan);

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_EXCHANGESTORES_H
