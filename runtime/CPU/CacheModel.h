//===- CacheModel.h - the last cache before DRAM ----------------*- C++ -*-===//
//
// What a launch moves between the L2 cache and DRAM, by a model: a cache of the
// target's size with 16 ways, lines made of sectors that are fetched one by
// one, and the least recently used line replaced. Blocks take their turn in the
// order of the launch, one after the other, so the figure does not depend on
// the host.
//
//   event                                   DRAM
//   read of a sector that is not cached     read of a sector
//   write                                   nothing yet; the sector is dirty
//   a line leaves the cache, or the end     write of its dirty sectors
//
// Compulsory are the sectors that any order has to move: those read before they
// are written, once, and those written, once. A kernel that moves no more
// reuses all data that it could.
//
//===----------------------------------------------------------------------===//

#ifndef RUNTIME_CPU_CACHEMODEL_H
#define RUNTIME_CPU_CACHEMODEL_H

#include "runtime/Executor.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace gpuopt::runtime {

/// The sectors of one request, or of many: sector number times two, plus one
/// for a write.
using SectorTrace = std::vector<uint64_t>;

class CacheModel {
public:
  CacheModel(uint64_t cacheBytes, unsigned lineBytes, unsigned sectorBytes);

  void replay(const SectorTrace &trace);
  /// Writes back what is dirty.
  DRAMTraffic finish();

private:
  struct Line {
    uint64_t tag = 0;
    uint64_t lastUse = 0;
    /// One bit for each sector.
    uint32_t valid = 0;
    uint32_t dirty = 0;
  };
  /// What happened to a sector first.
  struct Touched {
    bool isRead = false;
    bool isWritten = false;
  };

  void access(uint64_t sector, bool isWrite);
  Touched &touchedBefore(uint64_t sector);
  Line &findLine(uint64_t tag);
  void evict(Line &line);

  static constexpr unsigned ways = 16;
  unsigned sectorBytes;
  unsigned sectorsPerLine;
  uint64_t sets;
  uint64_t now = 0;
  std::vector<Line> lines;
  /// Of pages of sectors, for each sector.
  std::unordered_map<uint64_t, std::vector<Touched>> touched;
  uint64_t sectorsRead = 0;
  uint64_t sectorsWritten = 0;
  uint64_t sectorsCompulsory = 0;
};

} // namespace gpuopt::runtime

#endif // RUNTIME_CPU_CACHEMODEL_H
