//===- BlockBarriers.cpp - barriers of the threads of a block -------------===//

#include "runtime/CPU/BlockRun.h"
#include "runtime/CPU/SubgroupOperations.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace gpuopt;
using namespace gpuopt::runtime;

/// Threads that wait at one barrier, as many as it is for; none where not
/// enough of `live` ones have come to any.
SmallVector<ThreadContext *, 0> BlockRun::findFullBarrier(size_t live) {
  SmallVector<ThreadContext *, 0> waiting;
  SmallVector<uint64_t, 2> seen;
  for (ThreadContext &first : threads) {
    if (first.wait != Wait::Barrier || is_contained(seen, first.operand))
      continue;
    seen.push_back(first.operand);
    for (ThreadContext &thread : threads)
      if (thread.wait == Wait::Barrier && thread.operand == first.operand)
        waiting.push_back(&thread);
    // A named barrier may wait for some threads only, and for others next.
    size_t named = first.operand >> 32, expected = named ? named : live;
    size_t arrived = 0;
    if (auto others = arrivals.find(first.operand); others != arrivals.end())
      arrived = std::min(others->second.size(), expected - 1);
    if (waiting.size() + arrived >= expected) {
      waiting.resize(std::min(waiting.size(), expected));
      return waiting;
    }
    waiting.clear();
  }
  return waiting;
}

/// Orders all that threads have done before what they do next.
void BlockRun::orderBlock() {
  ++blockEpoch;
  if (order)
    order->clear();
}

void BlockRun::arriveAtBarrier(ThreadContext &thread, uint64_t barrier) {
  arrivals[barrier].push_back(thread.linearId);
  change();
}

/// Of a barrier that is complete: those that wait know of all that have come.
void BlockRun::meetAtBarrier(ArrayRef<ThreadContext *> waiting) {
  SmallVector<uint32_t, 0> ids, &arrived = arrivals[waiting.front()->operand];
  for (ThreadContext *thread : waiting)
    ids.push_back(thread->linearId);
  size_t expected = waiting.front()->operand >> 32;
  size_t left = expected > ids.size() ? expected - ids.size() : 0;
  ArrayRef<uint32_t> taken =
      ArrayRef<uint32_t>(arrived).take_front(std::min(left, arrived.size()));
  if (order)
    order->meet(ids, taken);
  arrived.erase(arrived.begin(), arrived.begin() + taken.size());
}

/// Releases the first barrier that all its threads have come to.
bool BlockRun::releaseBarrier() {
  size_t live = count_if(threads, [](const ThreadContext &thread) {
    return thread.wait != Wait::Done;
  });
  SmallVector<ThreadContext *, 0> waiting = findFullBarrier(live);
  if (waiting.empty())
    return false;
  bool isNamed = waiting.front()->operand >> 32;
  // One of all threads orders them, named or not.
  if (waiting.size() == live) {
    if (!isNamed)
      reportBarrierFaults(waiting);
    orderBlock();
    ++profile.barriers;
    flushCounts();
  }
  meetAtBarrier(waiting);
  uint64_t count = count_if(
      waiting, [](ThreadContext *thread) { return thread->value != 0; });
  for (ThreadContext *thread : waiting) {
    thread->result = count;
    thread->wait = Wait::Runnable;
  }
  return true;
}

/// All live threads wait at the barrier; still they may have come by different
/// ways, and others may have left.
void BlockRun::reportBarrierFaults(ArrayRef<ThreadContext *> waiting) {
  const ThreadContext &first = *waiting.front();
  const Site &place = facts.sites[first.site];
  for (ThreadContext *thread : waiting) {
    const Site &other = facts.sites[thread->site];
    if (thread->site == first.site ||
        (!place.inlinedLocation.empty() &&
         place.inlinedLocation == other.inlinedLocation))
      continue;
    launch.faults.add(
        ExecutionFault::Kind::BarrierDivergence, first, first.site,
        thread->site, [&] {
          return nameThread(first).print() + " waits at a barrier while " +
                 nameThread(*thread).print() + " waits at another one, at " +
                 (other.location.empty() ? "an unknown place" : other.location);
        });
    return;
  }
  if (waiting.size() == threads.size())
    return;
  ThreadContext &gone =
      *find_if(threads, [](auto &thread) { return thread.wait == Wait::Done; });
  launch.faults.add(
      ExecutionFault::Kind::BarrierDivergence, first, first.site, gone.site,
      [&] {
        const Site &exit = facts.sites[gone.site];
        return nameThread(first).print() + " waits at a barrier that " +
               nameThread(gone).print() + " never reaches: it left the kernel" +
               (exit.location.empty() ? "" : " at " + exit.location);
      });
}

/// Nothing moves: an operation of a subgroup whose mask names lanes that do not
/// come is done without them.
bool BlockRun::forceSubgroup() {
  for (size_t first = 0; first < threads.size();
       first += launch.options.subgroupSize) {
    ThreadContext *lane =
        runtime::forceSubgroup(subgroup(first), facts.sites, order.get());
    if (!lane)
      continue;
    launch.faults.add(ExecutionFault::Kind::BarrierDivergence, *lane,
                      lane->site, FaultLog::noSite, [&] {
                        return nameThread(*lane).print() +
                               " waits for lanes of its subgroup that its mask "
                               "names but that never come";
                      });
    return true;
  }
  return false;
}

/// Threads wait at barriers that can never be complete: the block ends.
void BlockRun::reportStuck() {
  // Where threads have asked for long, those of other blocks would as well.
  if (idleRounds >= mostIdleRounds)
    launch.endAt(blockNumber);
  if (reportStall())
    return;
  ThreadContext *first = nullptr;
  for (ThreadContext &thread : threads) {
    if (thread.wait == Wait::Done)
      continue;
    if (!first) {
      first = &thread;
      continue;
    }
    if (thread.site == first->site)
      continue;
    const Site &other = facts.sites[thread.site];
    launch.faults.add(
        ExecutionFault::Kind::Deadlock, *first, first->site, thread.site, [&] {
          return nameThread(*first).print() + " waits at a barrier while " +
                 nameThread(thread).print() + " waits at another one, at " +
                 (other.location.empty() ? "an unknown place" : other.location);
        });
    return;
  }
  launch.faults.add(ExecutionFault::Kind::Deadlock, *first, first->site,
                    FaultLog::noSite, [&] {
                      return nameThread(*first).print() +
                             " waits at a barrier for more threads than come";
                    });
}
