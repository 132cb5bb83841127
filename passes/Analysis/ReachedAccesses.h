//===- ReachedAccesses.h - which accesses a block makes at all --*- C++ -*-===//
//
// Whether a block that lies inside the bounds makes an access is a question to
// its guards alone. Copies of unrolled loops stand under the same guards, and
// to find that no lane fulfils them takes an evaluation for every lane: the
// answer is kept for all accesses of a kernel that have them, by their hash,
// and with them what they depend on.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_ANALYSIS_REACHEDACCESSES_H
#define PASSES_ANALYSIS_REACHEDACCESSES_H

#include "passes/Analysis/AccessFunction.h"
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

private:
  struct Answer {
    /// What is enumerated to look for a lane.
    std::vector<Iterator> iterators;
    bool isReached;
  };
  struct Guards {
    /// The first access with these guards, in a loop of these lanes.
    const AccessFunction *access;
    llvm::BitVector dependencies;
    std::vector<Answer> answers;
  };
  Guards &guardsOf(const AccessFunction &access);
  std::optional<std::vector<Iterator>>
  findIterators(const AccessFunction &access, const Guards &guards) const;

  const VariableTable &variables;
  const BlockShape &block;
  const SizeMap &sizes;
  /// By hash; those of accesses that differ all the same one after another.
  llvm::DenseMap<uint64_t, llvm::SmallVector<Guards, 1>> known;
};

} // namespace gpuopt

#endif // PASSES_ANALYSIS_REACHEDACCESSES_H
