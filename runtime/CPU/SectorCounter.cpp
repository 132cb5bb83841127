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

bool SectorCounter::countTurn(const Log &log, size_t turn, uint32_t site) {
  sectors.clear();
  bool isRequest = false;
  for (const auto &lane : log) {
    if (turn >= lane.size())
      continue;
    isRequest = true;
    uint64_t first = lane[turn].address / sectorBytes;
    uint64_t last = (lane[turn].address + lane[turn].bytes - 1) / sectorBytes;
    for (uint64_t sector = first; sector <= last; ++sector)
      if (sectors.empty() || sectors.back() != sector)
        sectors.push_back(sector);
  }
  if (!isRequest)
    return false;
  std::sort(sectors.begin(), sectors.end());
  sectors.erase(std::unique(sectors.begin(), sectors.end()), sectors.end());
  ++counts[site].requests;
  counts[site].sectors += sectors.size();
  if (onRequest)
    onRequest(site, sectors);
  return true;
}

void SectorCounter::flush() {
  // The order of `logs` may differ from run to run.
  std::vector<std::pair<uint64_t, Log *>> pending;
  for (auto &[key, log] : logs)
    pending.push_back({key, &log});
  std::sort(pending.begin(), pending.end());
  for (size_t turn = 0; !pending.empty(); ++turn)
    pending.erase(std::remove_if(pending.begin(), pending.end(),
                                 [&](const auto &entry) {
                                   return !countTurn(*entry.second, turn,
                                                     uint32_t(entry.first));
                                 }),
                  pending.end());
  for (auto &[key, log] : logs)
    for (auto &lane : log)
      lane.clear();
}
