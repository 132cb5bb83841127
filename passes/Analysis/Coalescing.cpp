//===- Coalescing.cpp - memory requests of a subgroup as sectors ----------===//

#include "passes/Analysis/Coalescing.h"

#include "passes/Analysis/RequestCost.h"
#include "passes/Analysis/Requests.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace gpuopt;

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

/// What all requests cost, for all shifts, and how many that are. Subgroups
/// whose lanes are at the same distances from a segment cost the same.
static std::pair<RequestCost, int64_t> sumCosts(const BlockRequests &requests,
                                                int64_t period,
                                                int64_t accessBytes,
                                                TargetAttr target) {
  using Lanes = std::vector<int64_t>;
  std::map<std::pair<Lanes, Lanes>, int64_t> patterns;
  for (const Request &request : requests.requests) {
    Lanes addresses(request.addresses.begin(), request.addresses.end());
    int64_t start = llvm::divideFloorSigned(addresses.front(), period) * period;
    for (int64_t &address : addresses)
      address -= start;
    ++patterns[{Lanes(request.lanes.begin(), request.lanes.end()),
                std::move(addresses)}];
  }
  RequestCost total;
  int64_t issued = 0;
  for (auto [shift, shifts] : requests.shifts)
    for (const auto &[pattern, number] : patterns) {
      RequestCost cost = computeRequestCost(pattern.first, pattern.second,
                                            shift, accessBytes, target);
      int64_t count = shifts * number;
      total.sectors += count * cost.sectors;
      total.neededSectors += count * cost.neededSectors;
      total.lines += count * cost.lines;
      issued += count;
    }
  return {total, issued};
}

static double requestsOf(const BlockRequests &requests) {
  return requests.isUnreachable
             ? 0
             : static_cast<double>(requests.requests.size()) /
                   requests.combinations;
}

CoalescingFact gpuopt::computeCoalescing(const AccessFunction &access,
                                         const VariableTable &variables,
                                         TargetAttr target,
                                         const BlockShape &block,
                                         const SizeMap &sizes) {
  int64_t period = segmentPeriod(target);
  BlockRequests requests = enumerateRequests(
      access, variables, block, target.getSubgroupSize(), period, sizes);
  CoalescingFact fact;
  fact.assumptions = requests.assumptions;
  fact.reason = requests.reason;
  if (requests.requests.empty())
    return fact;

  auto [total, issued] = sumCosts(requests, period, access.accessBytes, target);
  std::optional<int64_t> stride =
      strideOf(requests.requests, rowLength(access, variables, block));
  fact.verdict =
      judgeRequests(total, stride, requests.requests.front().lanes.size(),
                    access.accessBytes);
  fact.strideBytes = stride.value_or(0);
  int64_t divisor = std::gcd(total.sectors, issued);
  fact.sectors = total.sectors / divisor;
  fact.requests = issued / divisor;
  fact.linesPerRequest = static_cast<double>(total.lines) / issued;
  fact.neededSectorsPerRequest =
      static_cast<double>(total.neededSectors) / issued;
  fact.requestsPerBlock = requestsOf(requests);
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
