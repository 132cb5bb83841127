//===- ProfileAdvice.cpp - verdicts and what would help -------------------===//
//
// The suggestions of Algorithm 1 (Fauzia et al. 2015), made concrete by what
// was measured. Each names what the access costs now and what it would cost.
//
//===----------------------------------------------------------------------===//

#include "tools/lib/profile/Profile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <set>

using namespace gpuopt;

namespace {

class Adviser {
public:
  Adviser(KernelMeasurement &profile, TargetAttr target)
      : profile(profile), target(target) {}

  void judge(AccessMeasurement &access) const;
  void advise(size_t index);

private:
  void adviseGeometry(size_t index);
  void adviseRows(AccessMeasurement &access) const;
  void adviseFields(AccessMeasurement &access) const;
  void adviseStaging(AccessMeasurement &access) const;
  void advisePartitions(AccessMeasurement &access) const;
  void adviseBanks(AccessMeasurement &access) const;
  std::string saving(const AccessMeasurement &access) const;
  bool walksAlongRow(const AccessMeasurement &access) const;
  /// The stride of lanes that each access a field of their own structure.
  std::optional<int64_t> structureBytes(const AccessMeasurement &access) const;

  KernelMeasurement &profile;
  TargetAttr target;
};

} // namespace

static std::optional<int64_t> laneStride(const AccessFigures &figures) {
  if (!figures.rowStrides.count)
    return figures.mostLanes == 1 ? std::optional<int64_t>(0) : std::nullopt;
  return figures.rowStrides.only();
}

static std::string number(double value) {
  std::string text = llvm::formatv("{0:f2}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.')
    text.pop_back();
  return text;
}

void Adviser::judge(AccessMeasurement &access) const {
  if (access.figures.isWorkgroup)
    return;
  const AccessFigures &figures = access.figures;
  access.verdict =
      judgeRequests(figures.cost, laneStride(figures), figures.mostLanes,
                    static_cast<int64_t>(access.bytes));
}

/// "32 -> 4 sectors", at the best.
std::string Adviser::saving(const AccessMeasurement &access) const {
  const RequestCost &cost = access.figures.cost;
  return number(access.perRequest(double(cost.sectors))) + " -> " +
         number(access.perRequest(double(cost.neededSectors))) + " sectors";
}

const GeometryCandidate *KernelMeasurement::bestGeometry() const {
  if (geometries.empty())
    return nullptr;
  const GeometryCandidate &own = geometries.front();
  auto best =
      llvm::min_element(geometries, [](const auto &left, const auto &right) {
        return left.sectors < right.sectors;
      });
  return best->sectors < own.sectors ? &*best : nullptr;
}

void Adviser::adviseGeometry(size_t index) {
  const GeometryCandidate *best = profile.bestGeometry();
  if (!best)
    return;
  double before = profile.geometries.front().sectorsPerRequest[index];
  double after = best->sectorsPerRequest[index];
  if (after >= before)
    return;
  profile.accesses[index].suggestions.push_back(
      llvm::formatv("change thread geometry x<->{0}: {1} -> {2} sectors",
                    dimensionName(best->order[0]), number(before),
                    number(after))
          .str());
}

/// Whether each lane goes from element to element.
bool Adviser::walksAlongRow(const AccessMeasurement &access) const {
  std::optional<int64_t> step = access.figures.steps.only();
  return step && std::abs(*step) == int64_t(access.bytes);
}

void Adviser::adviseRows(AccessMeasurement &access) const {
  std::optional<int64_t> stride = laneStride(access.figures);
  if (!stride || std::abs(*stride) < target.getSectorBytes() ||
      !walksAlongRow(access))
    return;
  access.suggestions.push_back("row per thread: make the loop around it the x "
                               "dimension: " +
                               saving(access));
}

std::optional<int64_t>
Adviser::structureBytes(const AccessMeasurement &access) const {
  constexpr int64_t largest = 128;
  std::optional<int64_t> stride = laneStride(access.figures);
  // One that touches everything in between too goes down columns.
  if (access.largestGap && *access.largestGap <= int64_t(access.bytes))
    return std::nullopt;
  if (access.verdict != Verdict::Strided || !stride || *stride > largest ||
      *stride % int64_t(access.bytes) || walksAlongRow(access))
    return std::nullopt;
  return *stride > 0 ? stride : std::nullopt;
}

/// Structures whose fields are accessed one by one.
void Adviser::adviseFields(AccessMeasurement &access) const {
  std::optional<int64_t> structure = structureBytes(access);
  if (!structure)
    return;
  std::set<int64_t> fields;
  for (const AccessMeasurement &other : profile.accesses)
    if (other.array == access.array && other.kind == access.kind &&
        other.bytes == access.bytes && structureBytes(other) == structure)
      fields.insert(other.figures.firstAddress % *structure);
  int64_t bytes = static_cast<int64_t>(access.bytes);
  int64_t count = static_cast<int64_t>(fields.size());
  if (count * bytes == *structure && (*structure == 8 || *structure == 16) &&
      target.getVectorElements() * 4 >= *structure)
    access.suggestions.push_back(
        llvm::formatv("vectorize: {0} accesses of {1} bytes as one of {2}: "
                      "each sector is "
                      "moved once instead of {0} times",
                      count, bytes, *structure)
            .str());
  access.suggestions.push_back(
      llvm::formatv(
          "AoS -> SoA: elements lie {0} apart, {1} of {0} are used: {2}",
          *structure / bytes, count, saving(access))
          .str());
}

void Adviser::adviseStaging(AccessMeasurement &access) const {
  bool isContiguous =
      access.largestGap && *access.largestGap <= int64_t(access.bytes);
  bool isLoad = access.kind == AccessKind::Load;
  if (access.verdict == Verdict::Broadcast) {
    if (isLoad && walksAlongRow(access))
      access.suggestions.push_back(
          llvm::formatv(
              "stage through workgroup memory: {0} requests in a row read the "
              "same sector, {1} bytes of it each",
              target.getSectorBytes() / int64_t(access.bytes), access.bytes)
              .str());
    return;
  }
  if (access.verdict == Verdict::Misaligned) {
    access.suggestions.push_back(
        llvm::formatv("start rows at multiples of {0} bytes: {1}",
                      target.getSectorBytes(), saving(access))
            .str());
    return;
  }
  if (access.verdict == Verdict::Coalesced || structureBytes(access) ||
      access.kind == AccessKind::Atomic)
    return;
  if (isContiguous || (isLoad && walksAlongRow(access)))
    access.suggestions.push_back("stage through workgroup memory: " +
                                 saving(access));
}

/// What active blocks access at a time should lie in all partitions.
void Adviser::advisePartitions(AccessMeasurement &access) const {
  if (access.partitionSectors.empty())
    return;
  uint64_t total = 0, busiest = 0;
  for (uint64_t sectors : access.partitionSectors) {
    total += sectors;
    busiest = std::max(busiest, sectors);
  }
  uint64_t partitions = access.partitionSectors.size();
  // Few sectors cannot be everywhere.
  if (total < 4 * partitions || busiest * partitions < 2 * total)
    return;
  access.suggestions.push_back(
      llvm::formatv("spread neighbouring blocks over the partitions: the "
                    "busiest of {0} has {1:f0}% of what active blocks access "
                    "at a time",
                    partitions, 100 * double(busiest) / double(total))
          .str());
}

void Adviser::adviseBanks(AccessMeasurement &access) const {
  if (access.figures.conflictDegree <= 1)
    return;
  access.suggestions.push_back(
      llvm::formatv("pad rows of {0} by {1} bytes: {2}-way bank conflict",
                    access.array.empty() ? "the array" : access.array,
                    target.getWorkgroupMemoryBankBytes(),
                    access.figures.conflictDegree)
          .str());
}

void Adviser::advise(size_t index) {
  AccessMeasurement &access = profile.accesses[index];
  if (access.figures.isWorkgroup)
    return adviseBanks(access);
  adviseGeometry(index);
  adviseRows(access);
  adviseFields(access);
  adviseStaging(access);
  advisePartitions(access);
}

void gpuopt::judgeProfile(KernelMeasurement &profile, TargetAttr target) {
  Adviser adviser(profile, target);
  double sectors = double(profile.globalCost().sectors);
  for (AccessMeasurement &access : profile.accesses) {
    adviser.judge(access);
    if (sectors > 0)
      access.trafficShare = double(access.figures.cost.sectors) / sectors;
  }
  for (size_t index = 0; index < profile.accesses.size(); ++index)
    adviser.advise(index);
}
