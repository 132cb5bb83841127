//===- Coalescing.cpp - memory requests of a subgroup as sectors ----------===//

#include "passes/Analysis/Coalescing.h"

#include "passes/Analysis/Requests.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace gpuopt;

namespace {
/// What one request, or the sum of several, costs.
struct Cost {
  int64_t sectors = 0;
  int64_t neededSectors = 0;
  int64_t lines = 0;
};

/// Half-open range of bytes.
using Bytes = std::pair<int64_t, int64_t>;
} // namespace

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

/// The cost of `request` with all addresses moved by `shift`.
static Cost costOf(const Request &request, int64_t shift, int64_t accessBytes,
                   TargetAttr target) {
  bool isHalfWarp = target.getCoalescing() == CoalescingRule::HalfWarp;
  int64_t sectorBytes = target.getSectorBytes();
  int64_t groupSize =
      isHalfWarp ? target.getCoalescedThreads() : target.getSubgroupSize();
  Cost cost;
  llvm::SmallVector<Bytes, 64> all;
  for (size_t begin = 0; begin < request.lanes.size();) {
    int64_t group = request.lanes[begin] / groupSize;
    llvm::SmallVector<Bytes, 64> lanes;
    for (; begin < request.lanes.size() &&
           request.lanes[begin] / groupSize == group;
         ++begin) {
      int64_t address = request.addresses[begin] + shift;
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
  return cost;
}

/// Lanes with consecutive positions: a row of the block, or of a tile.
static int64_t rowLength(const AccessFunction &access,
                         const VariableTable &variables,
                         const BlockShape &block) {
  if (access.collective.empty())
    return block[0] > 1 ? block[0] : block[1] > 1 ? block[1] : block[2];
  const Variable &fastest = variables[access.collective.back()];
  return fastest.upperBounds.front().getConstant().value_or(1);
}

/// The distance of neighbouring lanes in a row of `width` lanes; nothing where
/// it is not the same for all.
static std::optional<int64_t> strideOf(llvm::ArrayRef<Request> requests,
                                       int64_t width) {
  std::optional<int64_t> stride;
  const Request &request = requests.front();
  for (size_t i = 1; i < request.lanes.size(); ++i) {
    if (request.lanes[i] != request.lanes[i - 1] + 1 ||
        request.lanes[i] % width == 0)
      continue;
    int64_t difference = request.addresses[i] - request.addresses[i - 1];
    if (stride && *stride != difference)
      return std::nullopt;
    stride = difference;
  }
  return stride.value_or(0);
}

static Verdict judge(const Cost &total, std::optional<int64_t> stride,
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

CoalescingFact gpuopt::computeCoalescing(const AccessFunction &access,
                                         const VariableTable &variables,
                                         TargetAttr target,
                                         const BlockShape &block,
                                         const SizeMap &sizes) {
  // Segments of all rules repeat with the larger of line and 128 bytes.
  int64_t period = std::lcm<int64_t>(
      std::lcm<int64_t>(target.getLineBytes(), target.getSectorBytes()), 128);
  BlockRequests requests = enumerateRequests(
      access, variables, block, target.getSubgroupSize(), period, sizes);
  CoalescingFact fact;
  fact.assumptions = requests.assumptions;
  fact.reason = requests.reason;
  if (requests.requests.empty())
    return fact;

  Cost total;
  int64_t issued = 0;
  for (auto [shift, count] : requests.shifts)
    for (const Request &request : requests.requests) {
      Cost cost = costOf(request, shift, access.accessBytes, target);
      total.sectors += count * cost.sectors;
      total.neededSectors += count * cost.neededSectors;
      total.lines += count * cost.lines;
      issued += count;
    }
  std::optional<int64_t> stride =
      strideOf(requests.requests, rowLength(access, variables, block));
  fact.verdict = judge(total, stride, requests.requests.front().lanes.size(),
                       access.accessBytes);
  fact.strideBytes = stride.value_or(0);
  int64_t divisor = std::gcd(total.sectors, issued);
  fact.sectors = total.sectors / divisor;
  fact.requests = issued / divisor;
  fact.linesPerRequest = static_cast<double>(total.lines) / issued;
  fact.neededSectorsPerRequest =
      static_cast<double>(total.neededSectors) / issued;
  if (!requests.isUnreachable)
    fact.requestsPerBlock =
        static_cast<double>(requests.requests.size()) / requests.combinations;
  return fact;
}

void CoalescingFact::print(llvm::raw_ostream &os) const {
  os << stringifyVerdict(verdict);
  if (verdict == Verdict::Unresolved) {
    os << ": " << reason;
    return;
  }
  if (verdict == Verdict::Strided)
    os << " by " << strideBytes << " bytes";
  os << ", " << sectors << (sectors == 1 ? " sector" : " sectors");
  if (requests == 1)
    os << " per request";
  else
    os << " per " << requests << " requests";
  if (!assumptions.empty()) {
    os << " (assuming ";
    llvm::interleaveComma(assumptions, os);
    os << ")";
  }
}
