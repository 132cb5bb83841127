//===- RaceCheck.cpp - accesses that nothing orders -----------------------===//

#include "runtime/CPU/RaceCheck.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemAlloc.h"

#include <algorithm>
#include <cstring>
#include <utility>

using gpuopt::ByteFlags;
using namespace gpuopt::runtime;

bool gpuopt::runtime::mayOverlap(const AccessStamp &earlier,
                                 const AccessStamp &later,
                                 const RaceRules &rules, KnownTimes known) {
  if (!earlier.block || (earlier.isAtomic && later.isAtomic))
    return false;
  if (earlier.block != later.block)
    return !rules.blocksAreOrdered;
  if (earlier.thread == later.thread || earlier.blockEpoch != later.blockEpoch)
    return false;
  if (!known.empty())
    return earlier.thread >= known.size() ||
           known[earlier.thread] < earlier.subgroupEpoch;
  bool sameSubgroup =
      earlier.thread / rules.subgroupSize == later.thread / rules.subgroupSize;
  return !sameSubgroup || earlier.subgroupEpoch == later.subgroupEpoch;
}

/// Of units whose effects are followed.
static constexpr uint64_t kMostUnitBytes = sizeof(uint64_t);

ShadowMemory::ShadowMemory(const uint8_t *begin, uint64_t bytes,
                           uint64_t unitBytes, bool followsEffects)
    : begin(begin), bytes(bytes),
      unit(followsEffects ? std::min(unitBytes, kMostUnitBytes) : unitBytes) {
  static_assert(std::is_trivially_copyable_v<Cell>);
  size_t count = (bytes + unit - 1) / unit;
  memory.reset(static_cast<Cell *>(llvm::safe_calloc(count, sizeof(Cell))));
  cells = {memory.get(), count};
  effects.resize(followsEffects ? count : 0);
}

void ShadowMemory::clear() {
  std::fill(cells.begin(), cells.end(), Cell());
  for (size_t index = 0; index < effects.size(); ++index)
    settle(index);
  others.clear();
}

//===----------------------------------------------------------------------===//
// Effects
//===----------------------------------------------------------------------===//

uint64_t ShadowMemory::contents(size_t index) const {
  uint64_t value = 0;
  std::memcpy(&value, begin + index * unit,
              std::min(unit, bytes - index * unit));
  return value;
}

/// Sees what the last write has done.
void ShadowMemory::settle(size_t index) {
  Effect &effect = effects[index];
  if (!effect.isPending)
    return;
  effect.isPending = false;
  bool changes = contents(index) != effect.before;
  if (changes && (effect.racesWithWrite || effect.racesWithRead))
    effect.isUnsettled = true;
  effect.isChanged = changes || (effect.racesWithWrite && effect.isChanged);
}

void ShadowMemory::noteEffect(size_t index, bool isWrite, bool racesWithWrite,
                              bool racesWithRead) {
  settle(index);
  Effect &effect = effects[index];
  if (!isWrite) {
    effect.isUnsettled |= racesWithWrite && effect.isChanged;
    return;
  }
  effect.before = contents(index);
  effect.isPending = true;
  effect.racesWithWrite = racesWithWrite;
  effect.racesWithRead = racesWithRead;
}

ByteFlags ShadowMemory::takeUnsettled() {
  ByteFlags flags;
  for (size_t index = 0; index < effects.size(); ++index) {
    settle(index);
    if (!std::exchange(effects[index].isUnsettled, false))
      continue;
    flags.resize(bytes);
    std::fill_n(flags.begin() + index * unit,
                std::min(unit, bytes - index * unit), 1);
  }
  return flags;
}

//===----------------------------------------------------------------------===//
// Conflicts
//===----------------------------------------------------------------------===//

/// Replaces the read that tells least.
static void noteRead(AccessStamp (&reads)[2], const AccessStamp &stamp,
                     KnownTimes known) {
  auto sameThread = [&](const AccessStamp &read) {
    return read.block == stamp.block && read.thread == stamp.thread;
  };
  auto isOld = [&](const AccessStamp &read) {
    if (!known.empty())
      return !read.block || (read.block == stamp.block &&
                             !mayOverlap(read, stamp, RaceRules(), known));
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

static bool isRepeated(const AccessStamp &before, const AccessStamp &now) {
  return before.block == now.block && before.thread == now.thread &&
         before.blockEpoch == now.blockEpoch && before.site == now.site &&
         before.subgroupEpoch == now.subgroupEpoch;
}

/// What a cell has no room for, of the same block: all accesses that no later
/// one stands for. One does where whatever conflicts with the earlier one, and
/// does not know of it, conflicts with the later one as well.
bool ShadowMemory::compareWithOthers(size_t index, bool isWrite,
                                     const AccessStamp &stamp,
                                     const RaceRules &rules, KnownTimes known,
                                     Conflicts &conflicts) {
  std::lock_guard<std::mutex> lock(othersMutex);
  llvm::SmallVector<OtherAccess, 0> &earlier = others[index];
  // As where a thread looks again and again.
  if (!earlier.empty() && earlier.back().isWrite == isWrite &&
      isRepeated(earlier.back().stamp, stamp))
    return false;
  bool racesWithRead = false, isPlainWrite = isWrite && !stamp.isAtomic;
  llvm::erase_if(earlier, [&](const OtherAccess &other) {
    const AccessStamp &access = other.stamp;
    if (access.block != stamp.block)
      return false;
    if (access.blockEpoch != stamp.blockEpoch)
      return true;
    bool isOrdered = access.thread == stamp.thread ||
                     (access.thread < known.size() &&
                      known[access.thread] >= access.subgroupEpoch);
    if (!isOrdered && (isWrite || other.isWrite) &&
        mayOverlap(access, stamp, rules, known)) {
      addConflict(conflicts, access);
      racesWithRead |= !other.isWrite;
    }
    bool isOfKind =
        other.isWrite == isWrite && access.isAtomic == stamp.isAtomic;
    return isOrdered && (isPlainWrite || isOfKind);
  });
  earlier.push_back({stamp, isWrite});
  return racesWithRead;
}

Conflicts ShadowMemory::access(const uint8_t *address, uint64_t size,
                               bool isWrite, const AccessStamp &stamp,
                               const RaceRules &rules, KnownTimes known) {
  Conflicts conflicts;
  for (Cell &cell : cellsOf(address, size)) {
    bool racesWithWrite = false, racesWithRead = false;
    if (cell.inFlight.block)
      addConflict(conflicts, cell.inFlight);
    if (mayOverlap(cell.write, stamp, rules, known)) {
      addConflict(conflicts, cell.write);
      racesWithWrite = true;
    }
    for (const AccessStamp &read : cell.reads)
      if (isWrite && mayOverlap(read, stamp, rules, known)) {
        addConflict(conflicts, read);
        racesWithRead = true;
      }
    if (!known.empty())
      racesWithRead |= compareWithOthers(&cell - cells.data(), isWrite, stamp,
                                         rules, known, conflicts);
    if (!effects.empty()) {
      size_t index = &cell - cells.data();
      noteEffect(index, isWrite, racesWithWrite, racesWithRead);
      // Nobody knows when the copy writes.
      effects[index].isUnsettled |= cell.inFlight.block != 0;
    }
    if (isWrite)
      cell.write = stamp;
    else
      noteRead(cell.reads, stamp, known);
  }
  return conflicts;
}

llvm::MutableArrayRef<ShadowMemory::Cell>
ShadowMemory::cellsOf(const uint8_t *address, uint64_t size) {
  uint64_t first = (address - begin) / unit;
  uint64_t last =
      std::min<uint64_t>((address - begin + size - 1) / unit, cells.size() - 1);
  return cells.slice(first, last - first + 1);
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
  shadows.push_back(
      std::make_unique<ShadowMemory>(begin, bytes, unit, followsEffects));
}

Conflicts RaceCheck::access(const uint8_t *address, uint64_t size, bool isWrite,
                            const AccessStamp &stamp, KnownTimes known) {
  for (const auto &shadow : shadows) {
    if (!shadow->contains(address))
      continue;
    std::atomic_flag &lock = locks[(uint64_t(address) >> 8) % 256];
    while (lock.test_and_set(std::memory_order_acquire)) {
    }
    Conflicts conflicts =
        shadow->access(address, size, isWrite, stamp, rules, known);
    lock.clear(std::memory_order_release);
    return conflicts;
  }
  return {};
}

void RaceCheck::clear() {
  for (const auto &shadow : shadows)
    shadow->clear();
}

std::vector<ByteFlags> RaceCheck::takeUnsettled() {
  std::vector<ByteFlags> flags;
  for (const auto &shadow : shadows)
    flags.push_back(shadow->takeUnsettled());
  return flags;
}
