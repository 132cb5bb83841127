//===- RaceCheck.h - accesses that nothing orders ---------------*- C++ -*-===//
//
// Shadow memory: for each unit of memory the last write and two reads, with who
// did them and when. Two accesses conflict when at least one writes, they are
// not both atomic, different threads do them, and
//
//   same block:       no barrier of the block lies between, nor, within one
//                     subgroup, a barrier of the subgroup; where threads are
//                     ordered in other ways, too, what the later one knows says
//                     so (ThreadOrder.h);
//   different blocks: always (kernels with device-wide fences are left out,
//                     since they may order blocks by flags).
//
// While an asynchronous copy is on its way to a unit, any access conflicts with
// it, by the thread itself as well.
//
// What conflicting accesses change is followed on demand; see RaceEffects.h.
//
// Of the reads, two are kept so that any writer conflicts with at least one of
// them: from different blocks where there are such, else by different threads.
// Where threads know of each other, all are kept that none has known of.
//
//===----------------------------------------------------------------------===//

#ifndef RUNTIME_CPU_RACECHECK_H
#define RUNTIME_CPU_RACECHECK_H

#include "runtime/CPU/Layout.h"
#include "runtime/RaceEffects.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

namespace gpuopt::runtime {

/// Who accessed memory, where in the kernel, and when.
struct AccessStamp {
  /// 0 for never; else the block's number plus 1.
  uint32_t block = 0;
  uint32_t thread = 0;
  /// Barriers that the block had passed.
  uint32_t blockEpoch = 0;
  /// Barriers that the subgroup had passed; the thread's own time where threads
  /// know of each other.
  uint32_t subgroupEpoch = 0;
  uint32_t site = 0;
  bool isAtomic = false;
  /// An asynchronous copy writes, and is not done.
  bool isInFlight = false;
};

/// How threads are ordered besides barriers.
struct RaceRules {
  uint32_t subgroupSize = 32;
  /// Blocks may be ordered by fences and flags: do not compare them.
  bool blocksAreOrdered = false;
};

/// Of each thread of a block up to when its accesses lie before what another
/// one does now (ThreadOrder::known): never where it is not in it. Without any,
/// epochs of subgroups count.
using KnownTimes = llvm::ArrayRef<uint32_t>;

/// Earlier accesses that one conflicts with.
using Conflicts = llvm::SmallVector<AccessStamp, 0>;

/// The shadow of one piece of memory.
class ShadowMemory {
public:
  /// Finds unsettled bytes where it `followsEffects`.
  ShadowMemory(const uint8_t *begin, uint64_t bytes, uint64_t unit,
               bool followsEffects = false);

  bool contains(const uint8_t *address) const {
    return uint64_t(address) - uint64_t(begin) < bytes;
  }
  /// Notes an access; returns the earlier ones that it conflicts with, of each
  /// place in the kernel one.
  Conflicts access(const uint8_t *address, uint64_t size, bool isWrite,
                   const AccessStamp &stamp, const RaceRules &rules,
                   KnownTimes known = {});
  /// An asynchronous copy writes the bytes from now on, until `land`.
  void launch(const uint8_t *address, uint64_t size, const AccessStamp &stamp);
  void land(const uint8_t *address, uint64_t size);
  void clear();
  /// The bytes that conflicting accesses have left unsettled; empty where there
  /// are none.
  ByteFlags takeUnsettled();

private:
  /// What accesses do to what is in a unit.
  struct Effect {
    /// Before the last write, which is done when the next access is noted.
    uint64_t before = 0;
    bool isPending = false;
    /// Of the last write.
    bool racesWithWrite = false, racesWithRead = false;
    /// The last write, or one that races with it, has changed the unit.
    bool isChanged = false;
    bool isUnsettled = false;
  };
  struct Cell {
    AccessStamp write;
    AccessStamp inFlight;
    AccessStamp reads[2];
  };
  /// Beside those in a cell.
  struct OtherAccess {
    AccessStamp stamp;
    bool isWrite;
  };
  /// Returns whether it races with a read.
  bool compareWithOthers(size_t index, bool isWrite, const AccessStamp &stamp,
                         const RaceRules &rules, KnownTimes known,
                         Conflicts &conflicts);
  llvm::MutableArrayRef<Cell> cellsOf(const uint8_t *address, uint64_t size);
  uint64_t contents(size_t index) const;
  void settle(size_t index);
  void noteEffect(size_t index, bool isWrite, bool racesWithWrite,
                  bool racesWithRead);

  const uint8_t *begin;
  uint64_t bytes;
  uint64_t unit;
  /// Pages that no access has come to take no memory: they are zero, as new
  /// cells are.
  std::unique_ptr<Cell[], llvm::FreeDeleter> memory;
  llvm::MutableArrayRef<Cell> cells;
  /// Of each cell; empty where they are not followed.
  std::vector<Effect> effects;
  /// By cell, where threads know of each other.
  std::mutex othersMutex;
  llvm::DenseMap<size_t, llvm::SmallVector<OtherAccess, 0>> others;
};

/// Whether `later`, whose thread knows of others what is `known`, may run at
/// the same time as `earlier`.
bool mayOverlap(const AccessStamp &earlier, const AccessStamp &later,
                const RaceRules &rules, KnownTimes known = {});

/// The shadow of all buffers of a launch, shared by its host threads.
class RaceCheck {
public:
  explicit RaceCheck(const RaceRules &rules, bool followsEffects = false)
      : rules(rules), followsEffects(followsEffects) {}

  void addMemory(const uint8_t *begin, uint64_t bytes, uint64_t unit);
  Conflicts access(const uint8_t *address, uint64_t size, bool isWrite,
                   const AccessStamp &stamp, KnownTimes known = {});
  /// All threads of the grid have met.
  void clear();
  /// Of each memory that was added.
  std::vector<ByteFlags> takeUnsettled();

  const RaceRules rules;
  const bool followsEffects;

private:
  std::vector<std::unique_ptr<ShadowMemory>> shadows;
  /// Guards the cells of addresses that fall on it.
  std::atomic_flag locks[256] = {};
};

} // namespace gpuopt::runtime

#endif // RUNTIME_CPU_RACECHECK_H
