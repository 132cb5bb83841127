//===- BulkCopies.h - copies of many bytes on their way ---------*- C++ -*-===//
//
// `cp.async.bulk` of NVIDIA: one thread copies many bytes, and somebody waits.
// What comes from global memory is counted by a barrier in workgroup memory
// (MemoryBarriers.h), whose phase ends when all threads have arrived and all
// bytes that they expect are there. What goes there is in groups of the thread
// that copies, as those of AsyncCopies.h.
//
// Nobody may look at the target before: data gets there when somebody asks for
// the end of a phase, or the thread waits for its groups, and not earlier.
//
//===----------------------------------------------------------------------===//

#ifndef RUNTIME_CPU_BULKCOPIES_H
#define RUNTIME_CPU_BULKCOPIES_H

#include "llvm/ADT/DenseMap.h"

#include <cstdint>
#include <deque>
#include <vector>

namespace gpuopt::runtime {

/// Bytes that go to workgroup memory; they have been read.
struct BulkLoad {
  uint8_t *to = nullptr;
  std::vector<uint8_t> data;
};

/// Bytes that come from workgroup memory, which keep on being read.
struct BulkStore {
  uint8_t *to = nullptr;
  const uint8_t *from = nullptr;
  uint64_t bytes = 0;
};

/// Those of a block.
struct BulkCopies {
  /// Of one thread.
  struct Stores {
    /// In no group yet.
    std::vector<BulkStore> open;
    std::deque<std::vector<BulkStore>> groups;
  };

  /// By barrier.
  llvm::DenseMap<const uint8_t *, std::vector<BulkLoad>> loads;
  /// Bytes that the phase of a barrier waits for; fewer than none where they
  /// were there before anybody expected them.
  llvm::DenseMap<const uint8_t *, int64_t> expected;
  /// By thread.
  llvm::DenseMap<uint32_t, Stores> stores;

  void clear() {
    loads.clear();
    expected.clear();
    stores.clear();
  }
};

} // namespace gpuopt::runtime

#endif // RUNTIME_CPU_BULKCOPIES_H
