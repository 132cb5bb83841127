//===- ThreadOrder.cpp - what a thread knows of the others ----------------===//

#include "runtime/CPU/ThreadOrder.h"

#include <algorithm>
#include <utility>

using namespace gpuopt::runtime;
using llvm::ArrayRef;

void ThreadOrder::join(Clock &clock, const Clock &other) {
  if (clock.size() < other.size())
    clock.resize(other.size());
  for (size_t index = 0; index < other.size(); ++index)
    clock[index] = std::max(clock[index], other[index]);
}

/// Adds all that `thread` knows, and has done; what it does from now on is
/// later.
void ThreadOrder::publish(uint32_t thread, Clock &clock) {
  Thread &from = threads[thread];
  join(clock, from.known);
  if (clock.size() <= thread)
    clock.resize(thread + 1);
  clock[thread] = from.time++;
}

void ThreadOrder::clear() {
  for (Thread &thread : threads) {
    thread.known.clear();
    thread.fenced.clear();
    thread.seen.clear();
  }
  places.clear();
  phases.clear();
}

ArrayRef<uint32_t> ThreadOrder::known(uint32_t thread) const {
  const Clock &clock = threads[thread].known;
  return clock.empty() ? nothing : clock;
}

void ThreadOrder::access(uint32_t index, const uint8_t *address,
                         uint32_t flags) {
  Thread &thread = threads[index];
  if (flags & OrderedAccess::reads)
    if (auto place = places.find(address); place != places.end())
      join(flags & OrderedAccess::acquires ? thread.known : thread.seen,
           place->second.released);
  if (!(flags & OrderedAccess::writes))
    return;
  bool publishes = flags & OrderedAccess::releases || !thread.fenced.empty();
  if (!publishes && !places.contains(address))
    return;
  Place &place = places[address];
  bool isOthers = place.writer != index;
  // An update carries on what others have released, a store does not.
  if (isOthers && !(flags & OrderedAccess::reads))
    place.released.clear();
  place.writer = isOthers && flags & OrderedAccess::reads ? nobody : index;
  if (flags & OrderedAccess::releases)
    publish(index, place.released);
  else
    join(place.released, thread.fenced);
}

void ThreadOrder::fence(uint32_t index, uint32_t flags) {
  Thread &thread = threads[index];
  if (flags & OrderedAccess::acquires)
    join(thread.known, thread.seen);
  if (flags & OrderedAccess::releases)
    publish(index, thread.fenced);
}

void ThreadOrder::overwrite(const uint8_t *address, uint64_t bytes) {
  if (!places.empty())
    for (uint64_t offset = 0; offset < bytes; ++offset)
      places.erase(address + offset);
}

void ThreadOrder::meet(ArrayRef<uint32_t> waiting, ArrayRef<uint32_t> arrived) {
  Clock all;
  for (uint32_t thread : waiting)
    publish(thread, all);
  for (uint32_t thread : arrived)
    publish(thread, all);
  for (uint32_t thread : waiting)
    threads[thread].known = all;
}

void ThreadOrder::tell(ArrayRef<uint32_t> lanes) {
  Clock all;
  for (uint32_t lane : lanes)
    join(all, threads[lane].known);
  if (all.empty())
    return;
  all.resize(threads.size());
  for (uint32_t lane : lanes) {
    Clock &known = threads[lane].known;
    known.resize(threads.size());
    Clock before = std::exchange(known, all);
    for (uint32_t other : lanes)
      known[other] = before[other];
  }
}

void ThreadOrder::arrive(uint32_t thread, const uint8_t *barrier) {
  publish(thread, phases[barrier].arrived);
}

void ThreadOrder::endPhase(const uint8_t *barrier) {
  Phase &phase = phases[barrier];
  join(phase.ended, phase.arrived);
  phase.arrived.clear();
}

void ThreadOrder::pass(uint32_t thread, const uint8_t *barrier) {
  if (auto phase = phases.find(barrier); phase != phases.end())
    join(threads[thread].known, phase->second.ended);
}
