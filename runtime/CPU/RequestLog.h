//===- RequestLog.h - accesses of a block, lane by lane ---------*- C++ -*-===//
//
// Threads run one after another, so what they access and which way they branch
// is kept until all lanes of the subgroup have had their turn. Then the k-th
// entries of all lanes are one request, or one execution of a branch.
//
//===----------------------------------------------------------------------===//

#ifndef RUNTIME_CPU_REQUESTLOG_H
#define RUNTIME_CPU_REQUESTLOG_H

#include "runtime/Profile.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace gpuopt::runtime {

/// The accesses since the last barrier.
class RequestLog {
public:
  RequestLog(size_t sites, size_t threads, unsigned subgroupSize);

  void note(uint32_t thread, uint32_t site, uint64_t address, uint64_t bytes,
            bool isWorkgroup) {
    uint32_t subgroup = thread / subgroupSize;
    Entry &entry = entries[subgroup * sites + site];
    if (entry.lanes.empty())
      open(entry, site, subgroup);
    entry.bytes = bytes;
    entry.isWorkgroup = isWorkgroup;
    entry.lanes[thread % subgroupSize].push_back(address);
  }
  /// Hands out what was noted, turn by turn, and forgets it.
  void flush(llvm::function_ref<void(const MemoryRequest &)> see);

private:
  struct Entry {
    uint32_t site = 0;
    uint32_t subgroup = 0;
    uint64_t bytes = 0;
    bool isWorkgroup = false;
    /// For each lane, the addresses in turn.
    std::vector<std::vector<int64_t>> lanes;
  };
  void open(Entry &entry, uint32_t site, uint32_t subgroup);
  /// False where no lane has had that many turns.
  bool handOut(const Entry &entry, uint64_t turn,
               llvm::function_ref<void(const MemoryRequest &)> see);

  size_t sites;
  unsigned subgroupSize;
  std::vector<Entry> entries;
  std::vector<int64_t> lanes, addresses;
};

/// The ways that branches went since the last barrier.
class BranchLog {
public:
  BranchLog(size_t sites, size_t threads, unsigned subgroupSize)
      : sites(sites), subgroupSize(subgroupSize),
        lanes(sites * ((threads + subgroupSize - 1) / subgroupSize)),
        counts(sites) {}

  void note(uint32_t thread, uint32_t site, bool isTaken) {
    auto &entry = lanes[thread / subgroupSize * sites + site];
    if (entry.empty())
      entry.resize(subgroupSize);
    Ways &ways = entry[thread % subgroupSize];
    if (ways.count % 64 == 0)
      ways.taken.push_back(0);
    ways.taken.back() |= uint64_t(isTaken) << ways.count % 64;
    ++ways.count;
  }
  /// Counts what was noted and forgets it.
  void flush();

  struct Count {
    uint64_t executions = 0;
    uint64_t divergent = 0;
  };
  llvm::ArrayRef<Count> total() const { return counts; }

private:
  /// One bit for each execution by one lane.
  struct Ways {
    std::vector<uint64_t> taken;
    uint64_t count = 0;
  };
  Count countSubgroup(llvm::ArrayRef<Ways> lanes) const;

  size_t sites;
  unsigned subgroupSize;
  /// By subgroup * sites + site, then by lane.
  std::vector<std::vector<Ways>> lanes;
  std::vector<Count> counts;
};

} // namespace gpuopt::runtime

#endif // RUNTIME_CPU_REQUESTLOG_H
