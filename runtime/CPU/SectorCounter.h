//===- SectorCounter.h - memory transactions of a block ---------*- C++ -*-===//
//
// The k-th execution of an access by each lane of a group of threads (a
// subgroup, or what the target coalesces together), counted since the last
// barrier, is one request; it costs the number of distinct sectors that its
// lanes touch. For code that runs in lockstep this is what a GPU does. Threads
// run one after another here, so the addresses are kept until all lanes have
// had their turn.
//
//===----------------------------------------------------------------------===//

#ifndef RUNTIME_CPU_SECTORCOUNTER_H
#define RUNTIME_CPU_SECTORCOUNTER_H

#include "runtime/CPU/LaunchRun.h"

#include <functional>
#include <unordered_map>

namespace gpuopt::runtime {

class SectorCounter {
public:
  SectorCounter(size_t sites, unsigned groupSize, unsigned sectorBytes)
      : counts(sites), groupSize(groupSize), sectorBytes(sectorBytes) {}

  void note(uint32_t group, uint32_t lane, uint32_t site, uint64_t address,
            uint64_t bytes);
  /// All lanes have met, or are done: counts what was noted.
  void flush();

  llvm::ArrayRef<SectorCount> total() const { return counts; }

  /// Called for each request that is counted, with its sectors: turn by turn
  /// where lanes have had several.
  std::function<void(uint32_t site, llvm::ArrayRef<uint64_t> sectors)>
      onRequest;

private:
  struct Touched {
    uint64_t address;
    uint64_t bytes;
  };
  /// For each lane, what it touched in turn.
  using Log = std::vector<std::vector<Touched>>;

  /// Counts the request of all lanes' execution number `turn`. Returns false
  /// where no lane has had that many.
  bool countTurn(const Log &log, size_t turn, uint32_t site);

  std::vector<SectorCount> counts;
  unsigned groupSize;
  unsigned sectorBytes;
  /// By group << 32 | site.
  std::unordered_map<uint64_t, Log> logs;
  std::vector<uint64_t> sectors;
};

} // namespace gpuopt::runtime

#endif // RUNTIME_CPU_SECTORCOUNTER_H
