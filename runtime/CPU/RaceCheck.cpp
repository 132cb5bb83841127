//===- RaceCheck.cpp - accesses that nothing orders -----------------------===//

#include "runtime/CPU/RaceCheck.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace gpuopt::runtime;

bool gpuopt::runtime::mayOverlap(const AccessStamp &earlier,
                                 const AccessStamp &later,
                                 const RaceRules &rules) {
  if (!earlier.block || (earlier.isAtomic && later.isAtomic))
    return false;
  if (earlier.block != later.block)
    return !rules.blocksAreOrdered;
  if (earlier.thread == later.thread || earlier.blockEpoch != later.blockEpoch)
    return false;
  bool sameSubgroup =
      earlier.thread / rules.subgroupSize == later.thread / rules.subgroupSize;
  return !sameSubgroup || earlier.subgroupEpoch == later.subgroupEpoch;
}

ShadowMemory::ShadowMemory(const uint8_t *begin, uint64_t bytes, uint64_t unit)
    : begin(begin), bytes(bytes), unit(unit), cells((bytes + unit - 1) / unit) {
}

void ShadowMemory::clear() { std::fill(cells.begin(), cells.end(), Cell()); }

/// Replaces the read that tells least.
static void noteRead(AccessStamp (&reads)[2], const AccessStamp &stamp) {
  auto sameThread = [&](const AccessStamp &read) {
    return read.block == stamp.block && read.thread == stamp.thread;
  };
  auto isOld = [&](const AccessStamp &read) {
    return !read.block || (read.block == stamp.block &&
                           (read.blockEpoch != stamp.blockEpoch ||
                            read.subgroupEpoch != stamp.subgroupEpoch));
  };
  for (AccessStamp &read : reads)
    if (sameThread(read) || isOld(read)) {
      // The two must not become the same thread's.
      if (&read == &reads[1] && sameThread(reads[0]))
        reads[0] = stamp;
      else
        read = stamp;
      return;
    }
  // Both are by others: keep two different blocks where there are.
  if (reads[0].block == reads[1].block)
    reads[1] = stamp;
}

/// Adds `earlier`, unless an access at its place is there already.
static void addConflict(Conflicts &conflicts, const AccessStamp &earlier) {
  if (llvm::none_of(conflicts, [&](const AccessStamp &other) {
        return other.site == earlier.site;
      }))
    conflicts.push_back(earlier);
}

Conflicts ShadowMemory::access(const uint8_t *address, uint64_t size,
                               bool isWrite, const AccessStamp &stamp,
                               const RaceRules &rules) {
  Conflicts conflicts;
  for (Cell &cell : cellsOf(address, size)) {
    if (cell.inFlight.block)
      addConflict(conflicts, cell.inFlight);
    if (mayOverlap(cell.write, stamp, rules))
      addConflict(conflicts, cell.write);
    if (!isWrite) {
      noteRead(cell.reads, stamp);
      continue;
    }
    for (const AccessStamp &read : cell.reads)
      if (mayOverlap(read, stamp, rules))
        addConflict(conflicts, read);
    cell.write = stamp;
  }
  return conflicts;
}

llvm::MutableArrayRef<ShadowMemory::Cell>
ShadowMemory::cellsOf(const uint8_t *address, uint64_t size) {
  uint64_t first = (address - begin) / unit;
  uint64_t last =
      std::min<uint64_t>((address - begin + size - 1) / unit, cells.size() - 1);
  return llvm::MutableArrayRef<Cell>(cells).slice(first, last - first + 1);
}

void ShadowMemory::launch(const uint8_t *address, uint64_t size,
                          const AccessStamp &stamp) {
  for (Cell &cell : cellsOf(address, size)) {
    cell.inFlight = stamp;
    cell.inFlight.isInFlight = true;
  }
}

void ShadowMemory::land(const uint8_t *address, uint64_t size) {
  for (Cell &cell : cellsOf(address, size))
    cell.inFlight = AccessStamp();
}

void RaceCheck::addMemory(const uint8_t *begin, uint64_t bytes, uint64_t unit) {
  if (bytes)
    shadows.push_back(std::make_unique<ShadowMemory>(begin, bytes, unit));
}

Conflicts RaceCheck::access(const uint8_t *address, uint64_t size, bool isWrite,
                            const AccessStamp &stamp) {
  for (const auto &shadow : shadows) {
    if (!shadow->contains(address))
      continue;
    std::atomic_flag &lock = locks[(uint64_t(address) >> 8) % 256];
    while (lock.test_and_set(std::memory_order_acquire)) {
    }
    Conflicts conflicts = shadow->access(address, size, isWrite, stamp, rules);
    lock.clear(std::memory_order_release);
    return conflicts;
  }
  return {};
}

void RaceCheck::clear() {
  for (const auto &shadow : shadows)
    shadow->clear();
}
