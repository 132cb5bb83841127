//===- ReachedAccesses.h - which accesses a block makes at all --*- C++ -*-===//
//
// Whether a block that lies inside the bounds makes an access is a question to
// its guards alone. Copies of unrolled loops stand under the same guards, and
// to find that no lane fulfils them takes an evaluation for every lane: the
// answer is kept for all accesses of a kernel that have them.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_ANALYSIS_REACHEDACCESSES_H
#define PASSES_ANALYSIS_REACHEDACCESSES_H

#include "passes/Analysis/AccessFunction.h"
#include "passes/Analysis/GuardNumbers.h"
#include "passes/Analysis/RequestIterators.h"

namespace gpuopt {

class ReachedAccesses {
public:
  /// All three outlive this.
  ReachedAccesses(const VariableTable &table, const BlockShape &shape,
                  const SizeMap &sizesOfParameters)
      : variables(table), block(shape), sizes(sizesOfParameters) {}

  /// Whether a block makes `access`, which outlives this as well, be its
  /// address known or not: where it can be computed, `requestsPerBlock` is not
  /// 0.
  bool contains(const AccessFunction &access);
  /// Those of the accesses that it is asked about.
  GuardNumbers &guards() { return numbers; }

private:
  struct Answer {
    /// What is enumerated to look for a lane.
    std::vector<Iterator> iterators;
    bool isReached;
  };
  struct Guards {
    llvm::BitVector dependencies;
    std::vector<Answer> answers;
  };
  Guards &guardsOf(const AccessFunction &access);
  std::optional<std::vector<Iterator>>
  findIterators(const AccessFunction &access, const Guards &guards) const;

  const VariableTable &variables;
  const BlockShape &block;
  const SizeMap &sizes;
  GuardNumbers numbers;
  /// By the numbers of guards.
  std::vector<Guards> known;
};

} // namespace gpuopt

#endif // PASSES_ANALYSIS_REACHEDACCESSES_H
