//===- ThreadOrder.cpp - which thread dimension should be x ---------------===//

#include "passes/Analysis/ThreadOrder.h"

#include "passes/Analysis/BankConflicts.h"
#include "passes/Analysis/Traffic.h"

#include "llvm/ADT/STLExtras.h"

using namespace gpuopt;

/// The block that has `threads` threads along `dimension` and one elsewhere.
static BlockShape rowAlong(unsigned dimension, int64_t threads) {
  BlockShape block = {1, 1, 1};
  block[dimension] = threads;
  return block;
}

static LaneStride strideOf(const CoalescingFact &fact) {
  switch (fact.verdict) {
  case Verdict::Broadcast:
    return LaneStride::Zero;
  case Verdict::Coalesced:
  case Verdict::Misaligned:
    return LaneStride::Unit;
  case Verdict::Strided:
  case Verdict::Irregular:
    return LaneStride::Large;
  case Verdict::Unresolved:
    break;
  }
  return LaneStride::Unknown;
}

static AccessStrides measure(const AccessFunction &access,
                             const VariableTable &variables, TargetAttr target,
                             const std::array<bool, 3> &candidates,
                             const SizeMap &sizes) {
  AccessStrides result;
  result.space = access.space;
  result.isRepeatedLoad =
      access.kind == AccessKind::Load && !access.loops.empty();
  BlockShape one = {1, 1, 1};
  result.executions = computeExecutions(access, variables, one, sizes).count;
  for (unsigned dim = 0; dim < 3; ++dim) {
    if (dim != 0 && !candidates[dim])
      continue;
    if (!access.isResolved()) {
      result.strides[dim] = LaneStride::Unknown;
      continue;
    }
    BlockShape row = rowAlong(dim, target.getSubgroupSize());
    // Lanes that read other places of constant memory take turns.
    if (access.space == MemorySpace::Global ||
        access.space == MemorySpace::Constant) {
      CoalescingFact fact =
          computeCoalescing(access, variables, target, row, sizes);
      result.strides[dim] = strideOf(fact);
      result.cost[dim] = fact.sectorsPerRequest();
    } else {
      BankConflictFact fact =
          computeBankConflicts(access, variables, target, row, sizes);
      result.strides[dim] =
          fact.degree == 0 ? LaneStride::Unknown : LaneStride::Unit;
      result.cost[dim] = fact.wavefronts;
    }
  }
  return result;
}

std::vector<AccessStrides>
gpuopt::collectStrides(const AccessFunctions &functions, TargetAttr target,
                       const std::array<bool, 3> &candidates,
                       const SizeMap &sizes) {
  std::vector<AccessStrides> all;
  for (const AccessFunction &access : functions.accesses())
    all.push_back(
        measure(access, functions.variables(), target, candidates, sizes));
  return all;
}

double gpuopt::threadOrderObjective(llvm::ArrayRef<AccessStrides> accesses,
                                    unsigned fastest) {
  double large = double(accesses.size()) + 1, sum = 0;
  for (const AccessStrides &access : accesses) {
    if (access.space != MemorySpace::Global)
      continue;
    bool isLarge = access.strides[fastest] == LaneStride::Large;
    sum += access.executions * (isLarge ? large : 1);
  }
  return sum;
}

/// Sectors that a thread causes.
static double sumOfSectors(llvm::ArrayRef<AccessStrides> accesses,
                           unsigned fastest) {
  double sum = 0;
  for (const AccessStrides &access : accesses)
    if (access.space == MemorySpace::Global)
      sum += access.executions * access.cost[fastest];
  return sum;
}

unsigned gpuopt::solveThreadOrder(llvm::ArrayRef<AccessStrides> accesses,
                                  const std::array<bool, 3> &candidates) {
  auto rank = [&](unsigned fastest) {
    return std::pair(threadOrderObjective(accesses, fastest),
                     sumOfSectors(accesses, fastest));
  };
  unsigned best = 0;
  for (unsigned fastest = 1; fastest < 3; ++fastest)
    if (candidates[fastest] && rank(fastest) < rank(best))
      best = fastest;
  return best;
}

unsigned gpuopt::countUncoalesced(llvm::ArrayRef<AccessStrides> accesses,
                                  unsigned fastest) {
  return llvm::count_if(accesses, [&](const AccessStrides &access) {
    return access.space == MemorySpace::Global &&
           access.strides[fastest] == LaneStride::Large;
  });
}

bool gpuopt::isClearlyBetter(llvm::ArrayRef<AccessStrides> accesses,
                             unsigned fastest) {
  for (const AccessStrides &access : accesses) {
    LaneStride now = access.strides[0], then = access.strides[fastest];
    if (access.space != MemorySpace::Global) {
      if (access.cost[fastest] > access.cost[0])
        return false;
      continue;
    }
    bool becomesLarge = now != LaneStride::Large && then == LaneStride::Large;
    if (now == LaneStride::Unknown || then == LaneStride::Unknown ||
        (becomesLarge && !access.isRepeatedLoad))
      return false;
  }
  return countUncoalesced(accesses, fastest) < countUncoalesced(accesses, 0) &&
         sumOfSectors(accesses, fastest) < sumOfSectors(accesses, 0);
}
