//===- ProfileSink.cpp - the requests of a launch, judged -----------------===//

#include "tools/lib/profile/ProfileSink.h"

#include "passes/Analysis/BankConflicts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace gpuopt;

void DistanceRange::add(const DistanceRange &other) {
  min = std::min(min, other.min);
  max = std::max(max, other.max);
  sum += other.sum;
  count += other.count;
}

void AccessFigures::add(const AccessFigures &other) {
  executions += other.executions;
  requests += other.requests;
  isWorkgroup |= other.isWorkgroup;
  mostLanes = std::max(mostLanes, other.mostLanes);
  bytesRequested += other.bytesRequested;
  cost.sectors += other.cost.sectors;
  cost.neededSectors += other.cost.neededSectors;
  cost.lines += other.cost.lines;
  cost.neededLines += other.cost.neededLines;
  cost.usedBytes += other.cost.usedBytes;
  wavefronts += other.wavefronts;
  neededWavefronts += other.neededWavefronts;
  conflictDegree = std::max(conflictDegree, other.conflictDegree);
  strides.add(other.strides);
  rowStrides.add(other.rowStrides);
  steps.add(other.steps);
  firstAddress = std::min(firstAddress, other.firstAddress);
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

void TouchedAddresses::add(const TouchedAddresses &other) {
  for (const auto &[buffer, words] : other.buffers) {
    std::vector<uint64_t> &mine = buffers[buffer];
    mine.resize(std::max(mine.size(), words.size()));
    for (auto [word, more] : llvm::zip(mine, words))
      word |= more;
  }
}

int64_t TouchedAddresses::largestGap() const {
  int64_t gap = 0;
  for (const auto &[buffer, words] : buffers) {
    int64_t last = -1;
    for (auto [index, word] : llvm::enumerate(words))
      for (uint64_t rest = word; rest; rest &= rest - 1) {
        int64_t bit = int64_t(index) * 64 + llvm::countr_zero(rest);
        if (last >= 0)
          gap = std::max(gap, bit - last);
        last = bit;
      }
  }
  return gap * int64_t(granule);
}

uint64_t TouchedAddresses::count() const {
  uint64_t count = 0;
  for (const auto &[buffer, words] : buffers)
    for (uint64_t word : words)
      count += llvm::popcount(word);
  return count;
}

//===----------------------------------------------------------------------===//
// Requests
//===----------------------------------------------------------------------===//

ProfileSink::ProfileSink(TargetAttr target, llvm::ArrayRef<AccessSite> sites,
                         int64_t rowLength, bool keepAddresses,
                         int64_t blocksAtOnce)
    : target(target), accessSites(sites.begin(), sites.end()),
      rowLength(rowLength), keepAddresses(keepAddresses),
      // All rules repeat with the larger of line and 128 bytes, and banks with
      // their words.
      period(std::lcm<int64_t>(
          std::lcm<int64_t>(target.getLineBytes(), target.getSectorBytes()),
          std::lcm<int64_t>(128, target.getWorkgroupMemoryBankBytes()))),
      figuresOfSites(sites.size()), samplesBySites(sites.size()),
      patterns(sites.size()), activeBlocks(blocksAtOnce),
      firstSectorsBySites(sites.size()), hasExecuted(sites.size()) {
  for (const AccessSite &site : sites)
    touchedBySites.emplace_back(site.elementBytes);
}

void ProfileSink::measureStrides(const MemoryRequest &request,
                                 AccessFigures &figures) const {
  int64_t groupSize = target.getCoalescedThreads();
  int64_t firstThread = int64_t(request.subgroup) * target.getSubgroupSize();
  llvm::ArrayRef<int64_t> lanes = request.lanes;
  for (size_t i = 1; i < lanes.size(); ++i)
    if (lanes[i] == lanes[i - 1] + 1 &&
        (firstThread + lanes[i]) % rowLength != 0)
      figures.rowStrides.add(request.addresses[i] - request.addresses[i - 1]);
  for (size_t begin = 0, end = 0; begin < lanes.size(); begin = end) {
    while (end < lanes.size() &&
           lanes[end] / groupSize == lanes[begin] / groupSize)
      ++end;
    llvm::SmallVector<int64_t, 64> sorted(
        request.addresses.slice(begin, end - begin));
    llvm::sort(sorted);
    for (size_t i = 1; i < sorted.size(); ++i)
      figures.strides.add(sorted[i] - sorted[i - 1]);
  }
}

/// What one request adds.
AccessFigures ProfileSink::measure(const MemoryRequest &request) const {
  AccessFigures figures;
  figures.executions = figures.mostLanes = request.lanes.size();
  figures.requests = 1;
  figures.isWorkgroup = request.isWorkgroup;
  figures.bytesRequested = request.lanes.size() * request.bytes;
  measureStrides(request, figures);
  if (!request.isWorkgroup) {
    figures.cost = computeRequestCost(request.lanes, request.addresses,
                                      /*shift=*/0, request.bytes, target);
    return figures;
  }
  bool isLoad = accessSites[request.site].kind == AccessSite::Kind::Read;
  BankConflictFact banks = computeBankConflicts(
      request.lanes, request.addresses, request.bytes,
      isLoad ? AccessKind::Load : AccessKind::Store, target);
  figures.wavefronts = static_cast<int64_t>(banks.wavefronts);
  figures.neededWavefronts = static_cast<int64_t>(banks.neededWavefronts);
  figures.conflictDegree = banks.degree;
  return figures;
}

const AccessFigures &ProfileSink::figuresOf(const MemoryRequest &request,
                                            Pattern &pattern) {
  int64_t first = request.addresses.front();
  // Subgroups are alike whose first threads have the same place in a row.
  uint64_t place =
      uint64_t(request.subgroup) * target.getSubgroupSize() % rowLength;
  bool isSame = pattern.placeInRow == place &&
                request.lanes == llvm::ArrayRef<int64_t>(pattern.lanes);
  for (size_t i = 0; isSame && i < request.addresses.size(); ++i)
    isSame = request.addresses[i] - first == pattern.offsets[i];
  if (!isSame) {
    pattern.figuresByPhase.clear();
    pattern.placeInRow = place;
    pattern.lanes.assign(request.lanes.begin(), request.lanes.end());
    pattern.offsets.clear();
    for (int64_t address : request.addresses)
      pattern.offsets.push_back(address - first);
  }
  auto [found, isNew] = pattern.figuresByPhase.try_emplace(first % period);
  if (isNew)
    found->second = measure(request);
  return found->second;
}

void ProfileSink::noteStep(const MemoryRequest &request, Pattern &pattern,
                           AccessFigures &figures) const {
  if (request.subgroup >= pattern.last.size())
    pattern.last.resize(request.subgroup + 1);
  auto &[lane, address] = pattern.last[request.subgroup];
  if (request.turn && lane == request.lanes.front())
    figures.steps.add(request.addresses.front() - address);
  lane = request.lanes.front();
  address = request.addresses.front();
}

void ProfileSink::startBlock(int64_t number) {
  block = number;
  life.startBlock();
  if (activeBlocks)
    for (std::vector<bool> &subgroups : hasExecuted)
      subgroups.clear();
}

void ProfileSink::notePartitions(const MemoryRequest &request) {
  std::vector<bool> &subgroups = hasExecuted[request.site];
  if (request.subgroup >= subgroups.size())
    subgroups.resize(request.subgroup + 1);
  if (subgroups[request.subgroup])
    return;
  subgroups[request.subgroup] = true;
  // The number of the array is a multiple of sectors.
  for (int64_t address : request.addresses)
    firstSectorsBySites[request.site].insert(address / target.getSectorBytes());
}

void ProfileSink::request(const MemoryRequest &request) {
  life.request(request, accessSites[request.site].kind);
  if (block < activeBlocks && !request.isWorkgroup)
    notePartitions(request);
  AccessFigures &figures = figuresOfSites[request.site];
  Pattern &pattern = patterns[request.site];
  figures.add(figuresOf(request, pattern));
  noteStep(request, pattern, figures);
  constexpr int64_t offsetMask = (int64_t(1) << 48) - 1;
  int64_t first = request.addresses.front() & offsetMask;
  figures.firstAddress = std::min(figures.firstAddress, first);
  SampleRequest &sample = samplesBySites[request.site];
  if (sample.isWorseThan(request.lanes, first)) {
    sample.lanes.assign(request.lanes.begin(), request.lanes.end());
    sample.addresses.clear();
    for (int64_t address : request.addresses)
      sample.addresses.push_back(address & offsetMask);
  }
  if (!keepAddresses || request.isWorkgroup)
    return;
  for (int64_t address : request.addresses)
    touchedBySites[request.site].note(address);
}
