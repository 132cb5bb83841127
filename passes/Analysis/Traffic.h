//===- Traffic.h - global memory sectors per work item ----------*- C++ -*-===//
//
// How many sectors a kernel moves for each original work item: what coalescing
// and merging are for. The sum over global accesses of
//
//   sectors per request * requests per block * executions / items per block
//
// With 16x16 blocks of subgroups of 32 the naive matrix product needs, per
// iteration and request, 2 sectors of A (two rows) and 2 * 2 of B: 4 sectors
// per 32 items and iteration.
//
// Exact: lanes, subgroups and trip counts, for the given parameter values.
// Assumed: boundary conditions hold (the block lies inside); of a fast and a
// general version the one that such a block takes is counted; parameters
// without a value, and where arrays lie, are `kAssumedSize`; caches are not
// counted. An access whose address is unresolved counts one sector per lane.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_ANALYSIS_TRAFFIC_H
#define PASSES_ANALYSIS_TRAFFIC_H

#include "passes/Analysis/Coalescing.h"

namespace gpuopt {

/// How often one thread executes an access.
struct Executions {
  double count = 1;
  /// False where a trip count is not known, or not the same in all blocks: the
  /// first one does not stand for the others then.
  bool standsForAll = true;
  /// What had to be assumed: {"n = 4096", "a loop of unknown trip count once"}.
  std::vector<std::string> assumptions;
};

/// The product of the trip counts around `access`, 0 where a block that lies
/// inside the bounds does not reach it.
Executions computeExecutions(const AccessFunction &access,
                             const VariableTable &variables,
                             const BlockShape &block,
                             const SizeMap &sizes = {});

/// Global memory traffic of a kernel.
struct TrafficFact {
  double sectorsPerItem = 0;
  double loadSectorsPerItem = 0;
  double storeSectorsPerItem = 0;
  double requestsPerItem = 0;
  /// Accesses whose address is not known.
  int64_t unresolvedAccesses = 0;
  std::vector<std::string> assumptions;
};

/// `itemsPerBlock` is the number of original work items that one block covers.
TrafficFact computeTraffic(const AccessFunctions &functions, TargetAttr target,
                           const BlockShape &block, int64_t itemsPerBlock,
                           const SizeMap &sizes = {});

/// The same for a kernel in IR, with the items of its `gpuopt.geometry` (one
/// per thread where it has none), and of `ItemsOfEach.h`. `defaultBlock` as in `blockShapeOf`.
TrafficFact
computeTraffic(mlir::Operation *kernel, TargetAttr target,
               std::optional<BlockShape> defaultBlock = std::nullopt,
               const SizeMap &sizes = {});

} // namespace gpuopt

#endif // PASSES_ANALYSIS_TRAFFIC_H
