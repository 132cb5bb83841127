//===- CacheModel.cpp - the last cache before DRAM ------------------------===//

#include "runtime/CPU/CacheModel.h"

#include "llvm/ADT/bit.h"

#include <algorithm>

using namespace gpuopt;
using namespace gpuopt::runtime;

CacheModel::CacheModel(uint64_t cacheBytes, unsigned lineBytes,
                       unsigned bytesOfSector)
    : sectorBytes(bytesOfSector),
      sectorsPerLine(std::max(1u, lineBytes / bytesOfSector)),
      sets(std::max<uint64_t>(1, cacheBytes / (lineBytes * ways))),
      lines(sets * ways) {}

void CacheModel::evict(Line &line) {
  sectorsWritten += llvm::popcount(line.dirty);
  line.valid = line.dirty = 0;
}

/// The line with `tag`, in the place of the least recently used one if it is
/// not cached.
CacheModel::Line &CacheModel::findLine(uint64_t tag) {
  Line *set = &lines[tag % sets * ways];
  Line *victim = set;
  for (Line *line = set; line != set + ways; ++line) {
    if (line->valid && line->tag == tag)
      return *line;
    if (line->lastUse < victim->lastUse)
      victim = line;
  }
  evict(*victim);
  victim->tag = tag;
  return *victim;
}

CacheModel::Touched &CacheModel::touchedBefore(uint64_t sector) {
  static constexpr uint64_t pageSectors = 4096;
  std::vector<Touched> &page = touched[sector / pageSectors];
  page.resize(pageSectors);
  return page[sector % pageSectors];
}

void CacheModel::access(uint64_t sector, bool isWrite) {
  Line &line = findLine(sector / sectorsPerLine);
  uint32_t bit = 1u << sector % sectorsPerLine;
  line.lastUse = ++now;
  bool isCached = line.valid & bit;
  line.valid |= bit;
  if (isWrite)
    line.dirty |= bit;
  else if (!isCached)
    ++sectorsRead;
  // What is read from the cache has been touched.
  if (isCached && !isWrite)
    return;
  Touched &first = touchedBefore(sector);
  if (isWrite ? !first.isWritten : !first.isRead && !first.isWritten)
    ++sectorsCompulsory;
  (isWrite ? first.isWritten : first.isRead) = true;
}

void CacheModel::replay(const SectorTrace &trace) {
  for (uint64_t entry : trace)
    access(entry / 2, entry % 2);
}

DRAMTraffic CacheModel::finish() {
  for (Line &line : lines)
    evict(line);
  return {sectorsRead * sectorBytes, sectorsWritten * sectorBytes,
          sectorsCompulsory * sectorBytes};
}
