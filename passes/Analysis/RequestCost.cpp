//===- RequestCost.cpp - what one memory request costs --------------------===//

#include "passes/Analysis/RequestCost.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace gpuopt;

/// Half-open range of bytes.
using Bytes = std::pair<int64_t, int64_t>;

/// The number of units of `unitBytes` that `ranges`, sorted, touch.
static int64_t countUnits(llvm::ArrayRef<Bytes> ranges, int64_t unitBytes) {
  int64_t count = 0, next = INT64_MIN;
  for (auto [begin, end] : ranges) {
    int64_t first = std::max(llvm::divideFloorSigned(begin, unitBytes), next);
    int64_t last = llvm::divideFloorSigned(end - 1, unitBytes);
    if (last < first)
      continue;
    count += last - first + 1;
    next = last + 1;
  }
  return count;
}

/// The number of different bytes in `ranges`, sorted.
static int64_t countBytes(llvm::ArrayRef<Bytes> ranges) {
  return countUnits(ranges, 1);
}

/// Transactions of half a warp on compute capability 1.2 and 1.3, in units of
/// `sectorBytes`: the segment of the lowest lane, reduced as far as the lanes
/// in it allow, until all lanes are served.
static int64_t countHalfWarpSectors(llvm::ArrayRef<Bytes> lanes,
                                    int64_t accessBytes, int64_t sectorBytes) {
  int64_t segment = accessBytes == 1 ? 32 : accessBytes == 2 ? 64 : 128;
  llvm::SmallVector<Bytes, 16> open(lanes);
  int64_t sectors = 0;
  while (!open.empty()) {
    int64_t size = segment;
    int64_t begin = llvm::divideFloorSigned(open.front().first, size) * size;
    Bytes used = {INT64_MAX, INT64_MIN};
    llvm::SmallVector<Bytes, 16> unserved;
    for (Bytes lane : open) {
      if (lane.first < begin || lane.first >= begin + size) {
        unserved.push_back(lane);
        continue;
      }
      used.first = std::min(used.first, lane.first);
      used.second = std::max(used.second, lane.second);
      // A lane that straddles two segments is served by both.
      if (lane.second > begin + size)
        unserved.push_back({begin + size, lane.second});
    }
    while (size > 32 && (used.second <= begin + size / 2 ||
                         used.first >= begin + size / 2)) {
      size /= 2;
      if (used.first >= begin + size)
        begin += size;
    }
    sectors += llvm::divideCeil(size, sectorBytes);
    open = std::move(unserved);
  }
  return sectors;
}

int64_t gpuopt::segmentPeriod(TargetAttr target) {
  return std::lcm<int64_t>(
      std::lcm<int64_t>(target.getLineBytes(), target.getSectorBytes()), 128);
}

RequestCost gpuopt::computeRequestCost(llvm::ArrayRef<int64_t> laneNumbers,
                                       llvm::ArrayRef<int64_t> addresses,
                                       int64_t shift, int64_t accessBytes,
                                       TargetAttr target) {
  bool isHalfWarp = target.getCoalescing() == CoalescingRule::HalfWarp;
  int64_t sectorBytes = target.getSectorBytes();
  int64_t groupSize =
      isHalfWarp ? target.getCoalescedThreads() : target.getSubgroupSize();
  RequestCost cost;
  llvm::SmallVector<Bytes, 64> all;
  for (size_t begin = 0; begin < laneNumbers.size();) {
    int64_t group = laneNumbers[begin] / groupSize;
    llvm::SmallVector<Bytes, 64> lanes;
    for (;
         begin < laneNumbers.size() && laneNumbers[begin] / groupSize == group;
         ++begin) {
      int64_t address = addresses[begin] + shift;
      lanes.push_back({address, address + accessBytes});
    }
    if (isHalfWarp)
      cost.sectors += countHalfWarpSectors(lanes, accessBytes, sectorBytes);
    llvm::sort(lanes);
    if (!isHalfWarp)
      cost.sectors += countUnits(lanes, sectorBytes);
    cost.neededSectors += llvm::divideCeil(countBytes(lanes), sectorBytes);
    all.append(lanes);
  }
  llvm::sort(all);
  cost.lines = countUnits(all, target.getLineBytes());
  cost.usedBytes = countBytes(all);
  cost.neededLines = llvm::divideCeil(cost.usedBytes, target.getLineBytes());
  return cost;
}

Verdict gpuopt::judgeRequests(const RequestCost &total,
                              std::optional<int64_t> stride,
                              int64_t activeLanes, int64_t accessBytes) {
  if (stride == 0 && activeLanes > 1)
    return Verdict::Broadcast;
  if (total.sectors <= total.neededSectors)
    return Verdict::Coalesced;
  if (!stride)
    return Verdict::Irregular;
  return std::abs(*stride) == accessBytes || activeLanes == 1
             ? Verdict::Misaligned
             : Verdict::Strided;
}
