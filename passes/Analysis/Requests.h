//===- Requests.h - the addresses of a subgroup's lanes ---------*- C++ -*-===//
//
// Internal to passes/Analysis. Enumerates the requests that a block makes when
// it executes an access: for each subgroup the byte addresses of its active
// lanes. Iterators (block ids and loops that the address depends on) take their
// first sixteen values. Most only shift all lanes by the same number of bytes,
// each for itself or several together (block ids of which a permutation makes
// others); as only the shift modulo a segment matters, these are kept as a
// distribution of shifts instead of one enumeration for each combination.
//
//   address                        iterators
//   16*bx + n*by + tx              bx, by shift
//   (bx + by) floordiv 4 * n + tx  bx and by together shift
//   (bx + tx) floordiv 4           bx is enumerated: each value for all lanes
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_ANALYSIS_REQUESTS_H
#define PASSES_ANALYSIS_REQUESTS_H

#include "passes/Analysis/AccessFunction.h"
#include "passes/Analysis/Evaluation.h"

#include <map>

namespace gpuopt {

/// The lanes of one subgroup.
struct Request {
  /// Bytes from the start of the array, by active lane.
  llvm::SmallVector<int64_t, 64> addresses;
  /// The lanes' numbers within the subgroup.
  llvm::SmallVector<int64_t, 64> lanes;
};

/// The most lanes that are enumerated, over all values of the iterators;
/// beyond, and beyond `kTriedIterations` combinations, the iterators take fewer
/// values, at least two each, and the assumptions say so.
inline constexpr int64_t kMostLanes = 1 << 14;

/// The requests of one block.
struct BlockRequests {
  /// One for each subgroup and each combination of the iterators that do not
  /// merely shift; those without active lanes are left out.
  std::vector<Request> requests;
  /// How many such combinations there are.
  int64_t combinations = 1;
  /// Shifts (modulo the segment) by the other iterators and how often each
  /// occurs.
  std::map<int64_t, int64_t> shifts = {{0, 1}};
  /// No lane is active: the guards were ignored.
  bool isUnreachable = false;
  std::vector<std::string> assumptions;
  /// Why there are none.
  std::string reason;
};

/// Enumerates the requests of one block for shifts modulo `segmentBytes`.
BlockRequests enumerateRequests(const AccessFunction &access,
                                const VariableTable &variables,
                                const BlockShape &block, int64_t subgroupSize,
                                int64_t segmentBytes, const SizeMap &sizes);

} // namespace gpuopt

#endif // PASSES_ANALYSIS_REQUESTS_H
