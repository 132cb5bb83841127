//===- SectorCounter.cpp - memory transactions of a block -----------------===//

#include "runtime/CPU/SectorCounter.h"

#include <algorithm>

using namespace gpuopt::runtime;

void SectorCounter::note(uint32_t group, uint32_t lane, uint32_t site,
                         uint64_t address, uint64_t bytes) {
  Log &log = logs[uint64_t(group) << 32 | site];
  if (log.empty())
    log.resize(groupSize);
  log[lane].push_back({address, bytes});
}

void SectorCounter::flushLog(const Log &log, SectorCount &count) {
  size_t longest = 0;
  for (const auto &lane : log)
    longest = std::max(longest, lane.size());
  for (size_t turn = 0; turn < longest; ++turn) {
    sectors.clear();
    for (const auto &lane : log) {
      if (turn >= lane.size())
        continue;
      uint64_t first = lane[turn].address / sectorBytes;
      uint64_t last = (lane[turn].address + lane[turn].bytes - 1) / sectorBytes;
      for (uint64_t sector = first; sector <= last; ++sector)
        if (sectors.empty() || sectors.back() != sector)
          sectors.push_back(sector);
    }
    std::sort(sectors.begin(), sectors.end());
    ++count.requests;
    count.sectors +=
        std::unique(sectors.begin(), sectors.end()) - sectors.begin();
  }
}

void SectorCounter::flush() {
  for (auto &[key, log] : logs) {
    flushLog(log, counts[uint32_t(key)]);
    for (auto &lane : log)
      lane.clear();
  }
}
