//===- AccessSums.cpp - what the sinks of launches add up to --------------===//

#include "tools/lib/profile/AccessSums.h"

#include "passes/Analysis/PartitionCamping.h"

#include "llvm/ADT/STLExtras.h"

#include <map>
#include <set>

using namespace gpuopt;

int64_t gpuopt::rowLength(const Dim3 &block,
                          const std::array<unsigned, 3> &order) {
  for (unsigned dim : order)
    if (block[dim] > 1)
      return block[dim];
  return 1;
}

static AccessKind accessKind(AccessSite::Kind kind) {
  return kind == AccessSite::Kind::Read    ? AccessKind::Load
         : kind == AccessSite::Kind::Write ? AccessKind::Store
                                           : AccessKind::Atomic;
}

/// The sectors that site `index` of all sinks touched first, by partition.
static void addPartitions(llvm::ArrayRef<std::unique_ptr<ProfileSink>> sinks,
                          size_t index, TargetAttr target,
                          std::vector<uint64_t> &counts) {
  if (!partitionPeriod(target))
    return;
  std::set<int64_t> sectors;
  for (const auto &sink : sinks)
    sectors.insert(sink->firstSectors()[index].begin(),
                   sink->firstSectors()[index].end());
  counts.resize(target.getMemoryPartitions());
  for (int64_t sector : sectors)
    ++counts[sector * target.getSectorBytes() /
             target.getMemoryPartitionBytes() % target.getMemoryPartitions()];
}

std::vector<AccessMeasurement>
gpuopt::collectAccesses(llvm::ArrayRef<std::unique_ptr<ProfileSink>> sinks,
                        TargetAttr target, bool isExact) {
  std::vector<AccessMeasurement> accesses;
  if (sinks.empty())
    return accesses;
  using Key = std::tuple<std::string, std::string, AccessKind, uint64_t, bool>;
  std::map<Key, size_t> known;
  std::vector<TouchedAddresses> touched;
  llvm::ArrayRef<AccessSite> sites = sinks.front()->sites();
  for (size_t index = 0; index < sites.size(); ++index) {
    AccessFigures figures;
    for (const auto &sink : sinks)
      figures.add(sink->figures()[index]);
    if (!figures.requests)
      continue;
    const AccessSite &site = sites[index];
    // What varies is told apart by its size per lane.
    uint64_t bytes =
        site.bytes ? site.bytes : figures.bytesRequested / figures.executions;
    auto [entry, isNew] =
        known.try_emplace({site.location, site.array, accessKind(site.kind),
                           bytes, figures.isWorkgroup},
                          accesses.size());
    if (isNew) {
      AccessMeasurement &access = accesses.emplace_back();
      access.kind = accessKind(site.kind);
      access.location = site.location;
      access.array = site.array;
      access.bytes = bytes;
      touched.emplace_back(site.elementBytes);
    }
    AccessMeasurement &access = accesses[entry->second];
    access.figures.add(figures);
    ++access.copies;
    for (const auto &sink : sinks) {
      const SampleRequest &sample = sink->samples()[index];
      if (!sample.lanes.empty() &&
          access.sample.isWorseThan(sample.lanes, sample.addresses.front()))
        access.sample = sample;
    }
    for (const auto &sink : sinks)
      touched[entry->second].add(sink->touched()[index]);
    if (!figures.isWorkgroup)
      addPartitions(sinks, index, target, access.partitionSectors);
  }
  if (!isExact)
    return accesses;
  for (auto [access, addresses] : llvm::zip(accesses, touched)) {
    if (access.figures.isWorkgroup)
      continue;
    // Accesses of vectors start at each of their elements' places.
    access.largestGap = addresses.largestGap();
    access.footprintBytes = addresses.count() * access.bytes;
  }
  return accesses;
}

/// The larger of two where both are known.
template <typename T>
static void takeLarger(std::optional<T> &value, const std::optional<T> &other) {
  if (other)
    value = std::max(value.value_or(*other), *other);
}

void gpuopt::addAccesses(std::vector<AccessMeasurement> &accesses,
                         std::vector<AccessMeasurement> more) {
  for (AccessMeasurement &access : more) {
    auto known = llvm::find_if(accesses, [&](const AccessMeasurement &other) {
      return other.isSameAs(access);
    });
    if (known == accesses.end()) {
      accesses.push_back(std::move(access));
      continue;
    }
    known->figures.add(access.figures);
    known->copies = std::max(known->copies, access.copies);
    if (!access.sample.lanes.empty() &&
        known->sample.isWorseThan(access.sample.lanes,
                                  access.sample.addresses.front()))
      known->sample = std::move(access.sample);
    takeLarger(known->largestGap, access.largestGap);
    takeLarger(known->footprintBytes, access.footprintBytes);
    for (auto [sum, count] :
         llvm::zip(known->partitionSectors, access.partitionSectors))
      sum += count;
  }
}

std::optional<Roofline> gpuopt::findRoofline(const KernelMeasurement &profile,
                                             TargetAttr target) {
  const OperationCounts &operations = profile.counts.operations;
  if (!profile.dram || !profile.dram->bytes())
    return std::nullopt;
  // 10^9 per second is 10^3 per microsecond.
  Roofline roofline;
  double bytesPerMicrosecond = double(target.getBandwidthGbps()) * 1e3;
  double total =
      double(operations.f16) + double(operations.f32) + double(operations.f64);
  double bytes = double(profile.dram->bytes());
  roofline.memoryMicroseconds = bytes / bytesPerMicrosecond;
  roofline.arithmeticMicroseconds =
      double(operations.f16) / (double(target.getF16Gflops()) * 1e3) +
      double(operations.f32) / (double(target.getF32Gflops()) * 1e3) +
      double(operations.f64) / (double(target.getF64Gflops()) * 1e3);
  roofline.intensity = total / bytes;
  double longest =
      std::max(roofline.memoryMicroseconds, roofline.arithmeticMicroseconds);
  roofline.attainableGflops = total / longest / 1e3;
  double peak = roofline.arithmeticMicroseconds > 0
                    ? total / roofline.arithmeticMicroseconds
                    : double(target.getF32Gflops()) * 1e3;
  roofline.ridge = peak / bytesPerMicrosecond;
  return roofline;
}
