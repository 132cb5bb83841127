//===- SubgroupOperations.cpp - shuffles, votes, reductions ---------------===//

#include "runtime/CPU/SubgroupOperations.h"
#include "runtime/CPU/MatrixProducts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <algorithm>

using namespace llvm;
using namespace gpuopt::runtime;

using Group = SmallVector<ThreadContext *, 64>;

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

static uint64_t fold(ReduceKind kind, uint64_t a, uint64_t b) {
  switch (kind) {
  case ReduceKind::Add:
    return a + b;
  case ReduceKind::UMin:
    return std::min(a, b);
  case ReduceKind::UMax:
    return std::max(a, b);
  case ReduceKind::SMin:
    return std::min(int64_t(a), int64_t(b));
  case ReduceKind::SMax:
    return std::max(int64_t(a), int64_t(b));
  case ReduceKind::And:
    return a & b;
  case ReduceKind::Or:
    return a | b;
  case ReduceKind::Xor:
    return a ^ b;
  }
  llvm_unreachable("covered switch");
}

static uint64_t resultFor(const ThreadContext &thread, const Group &group) {
  switch (thread.wait) {
  case Wait::Exchange:
  case Wait::ExchangeOrZero:
    for (ThreadContext *other : group)
      if (other->lane == thread.operand)
        return other->value;
    return thread.wait == Wait::Exchange ? thread.value : 0;
  case Wait::Ballot: {
    uint64_t votes = 0;
    for (ThreadContext *other : group)
      votes |= uint64_t(other->value != 0) << other->lane;
    return votes;
  }
  case Wait::MatchAny: {
    uint64_t same = 0;
    for (ThreadContext *other : group)
      same |= uint64_t(other->value == thread.value) << other->lane;
    return same;
  }
  case Wait::Reduce: {
    uint64_t result = group.front()->value;
    for (ThreadContext *other : drop_begin(group))
      result = fold(ReduceKind(thread.operand), result, other->value);
    return result;
  }
  case Wait::ReadFirst:
    return group.front()->value;
  default:
    return 0;
  }
}

/// Gives every thread of the group its result and lets it go on.
static void complete(const Group &group, ThreadOrder *order) {
  uint64_t participants = 0;
  uint32_t epoch = 0;
  for (ThreadContext *thread : group) {
    participants |= uint64_t(1) << thread->lane;
    epoch = std::max(epoch, thread->subgroupEpoch + 1);
  }
  if (group.front()->wait == Wait::Multiply)
    multiplyMatrices(group);
  for (ThreadContext *thread : group) {
    thread->result = resultFor(*thread, group);
    thread->participants = participants;
    // Only a barrier orders memory.
    if (thread->wait == Wait::SubgroupBarrier)
      thread->subgroupEpoch = epoch;
  }
  if (order) {
    SmallVector<uint32_t, 64> ids;
    for (ThreadContext *thread : group)
      ids.push_back(thread->linearId);
    if (group.front()->wait == Wait::SubgroupBarrier)
      order->meet(ids);
    else
      order->tell(ids);
  }
  for (ThreadContext *thread : group)
    thread->wait = Wait::Runnable;
}

//===----------------------------------------------------------------------===//
// Who takes part
//===----------------------------------------------------------------------===//

static bool isMasked(const ThreadContext &thread) {
  return thread.mask != everyLane;
}

/// The lanes of `first`'s mask, or nothing where one is still missing.
static Group gatherMasked(MutableArrayRef<ThreadContext> lanes,
                          const ThreadContext &first) {
  Group group;
  uint64_t mask = first.mask | uint64_t(1) << first.lane;
  for (ThreadContext &lane : lanes) {
    if (!(mask >> lane.lane & 1) || lane.wait == Wait::Done)
      continue;
    if (lane.wait != first.wait || lane.mask != first.mask)
      return {};
    group.push_back(&lane);
  }
  return group;
}

/// The lanes that wait at the first place in program order, of those with or
/// those without a mask.
static Group gatherFirst(MutableArrayRef<ThreadContext> lanes,
                         ArrayRef<Site> sites, bool masked) {
  ThreadContext *first = nullptr;
  for (ThreadContext &lane : lanes)
    if (waitsForSubgroup(lane) && isMasked(lane) == masked &&
        (!first || sites[lane.site].order < sites[first->site].order))
      first = &lane;
  Group group;
  if (first)
    for (ThreadContext &lane : lanes)
      if (lane.wait == first->wait && lane.site == first->site &&
          isMasked(lane) == masked)
        group.push_back(&lane);
  return group;
}

bool gpuopt::runtime::resolveSubgroup(MutableArrayRef<ThreadContext> lanes,
                                      ArrayRef<Site> sites,
                                      ThreadOrder *order) {
  for (ThreadContext &lane : lanes)
    if (waitsForSubgroup(lane) && isMasked(lane)) {
      Group group = gatherMasked(lanes, lane);
      if (!group.empty()) {
        complete(group, order);
        return true;
      }
    }
  Group group = gatherFirst(lanes, sites, /*masked=*/false);
  if (group.empty())
    return false;
  complete(group, order);
  return true;
}

ThreadContext *
gpuopt::runtime::forceSubgroup(MutableArrayRef<ThreadContext> lanes,
                               ArrayRef<Site> sites, ThreadOrder *order) {
  Group group = gatherFirst(lanes, sites, /*masked=*/true);
  if (group.empty())
    return nullptr;
  complete(group, order);
  return group.front();
}
