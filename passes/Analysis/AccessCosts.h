//===- AccessCosts.h - what the accesses of a kernel cost -------*- C++ -*-===//
//
// Coalescing of all accesses of a kernel for one launch. Those that stand under
// the same guards, and whose addresses differ by whole segments for all lanes,
// cost the same, which is found once: copies for several work items of a thread
// are a row of the array apart, those of unrolled loops some lines.
//
//   a[idy*n + i]      4*i + 4*n*idy
//   a[(idy+1)*n + i]  4*i + 4*n*idy + 4*n: 16384 bytes further for n = 4096
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_ANALYSIS_ACCESSCOSTS_H
#define PASSES_ANALYSIS_ACCESSCOSTS_H

#include "passes/Analysis/Coalescing.h"
#include "passes/Analysis/Evaluation.h"
#include "passes/Analysis/ReachedAccesses.h"
#include "passes/Analysis/RequestCost.h"

#include <map>

namespace gpuopt {

class AccessCosts {
public:
  /// All outlive this, as the accesses do that it is asked about.
  AccessCosts(const VariableTable &table, TargetAttr machine,
              const BlockShape &shape, const SizeMap &sizesOfParameters);

  /// As `ReachedAccesses`.
  bool isReached(const AccessFunction &access) {
    return reached.contains(access);
  }
  /// As `computeCoalescing`.
  const CoalescingFact &coalescingOf(const AccessFunction &access);

private:
  struct Key {
    unsigned guards;
    int64_t accessBytes;
    /// The address without what is the same for all lanes, blocks and
    /// iterations; of that the place in a segment, and the parameters in it,
    /// whose values are assumed.
    Polynomial varying;
    int64_t place;
    llvm::SmallVector<unsigned> parameters;

    bool operator<(const Key &other) const;
  };
  std::optional<Key> keyOf(const AccessFunction &access);

  const VariableTable &variables;
  TargetAttr target;
  const BlockShape &block;
  const SizeMap &sizes;
  int64_t segmentBytes;
  ReachedAccesses reached;
  /// The values of parameters.
  Evaluation launch;
  std::map<Key, CoalescingFact> known;
  /// The last one that is like no other.
  CoalescingFact single;
};

} // namespace gpuopt

#endif // PASSES_ANALYSIS_ACCESSCOSTS_H
