//===- ProfileReport.cpp - a profile as JSON ------------------------------===//

#include "tools/lib/profile/Profile.h"

#include "passes/Analysis/AccessReport.h"

using namespace gpuopt;
namespace json = llvm::json;

static json::Array toArray(const Dim3 &dim) {
  return json::Array{dim[0], dim[1], dim[2]};
}

template <typename T>
static json::Value orNull(const std::optional<T> &value) {
  return value ? json::Value(*value) : json::Value(nullptr);
}

/// Null where there was only one lane, or one execution.
static json::Value toValue(const DistanceRange &range) {
  if (!range.count)
    return nullptr;
  return json::Object{
      {"min", range.min}, {"max", range.max}, {"average", range.average()}};
}

static json::Object algorithmOf(const AccessMeasurement &access) {
  json::Object object{{"coalesced", access.isCoalesced()},
                      {"stride_bytes", toValue(access.figures.strides)},
                      {"largest_gap_bytes", orNull(access.largestGap)},
                      {"can_be_coalesced", nullptr}};
  if (access.largestGap)
    object["can_be_coalesced"] = *access.largestGap <= int64_t(access.bytes);
  return object;
}

static void addGlobal(const AccessMeasurement &access, int64_t sectorBytes,
                      json::Object &object) {
  const RequestCost &cost = access.figures.cost;
  auto perRequest = [&](int64_t total) {
    return access.perRequest(double(total));
  };
  object["verdict"] = stringifyVerdict(access.verdict);
  object["sectors"] = cost.sectors;
  object["sectors_per_request"] = perRequest(cost.sectors);
  object["ideal_sectors_per_request"] = perRequest(cost.neededSectors);
  object["lines_per_request"] = perRequest(cost.lines);
  object["ideal_lines_per_request"] = perRequest(cost.neededLines);
  object["bytes_used"] = cost.usedBytes;
  object["bytes_moved"] = cost.sectors * sectorBytes;
  object["efficiency"] = access.efficiency(sectorBytes);
  object["traffic_share"] = access.trafficShare;
  object["footprint_bytes"] = orNull(access.footprintBytes);
  object["algorithm1"] = algorithmOf(access);
  object["partition_sectors"] = nullptr;
  if (!access.partitionSectors.empty())
    object["partition_sectors"] = json::Array(access.partitionSectors);
}

static void addWorkgroup(const AccessMeasurement &access,
                         json::Object &object) {
  const AccessFigures &figures = access.figures;
  object["conflict_degree"] = figures.conflictDegree;
  object["wavefronts_per_request"] =
      access.perRequest(double(figures.wavefronts));
  object["ideal_wavefronts_per_request"] =
      access.perRequest(double(figures.neededWavefronts));
}

static json::Object toObject(const AccessMeasurement &access,
                             int64_t sectorBytes) {
  const AccessFigures &figures = access.figures;
  json::Object object{{"location", access.location},
                      {"array", access.array},
                      {"kind", stringifyAccessKind(access.kind)},
                      {"space", stringifyMemorySpace(
                                    figures.isWorkgroup ? MemorySpace::Workgroup
                                                        : MemorySpace::Global)},
                      {"bytes", access.bytes},
                      {"copies", access.copies},
                      {"executions", figures.executions},
                      {"requests", figures.requests},
                      {"bytes_requested", figures.bytesRequested},
                      {"lane_stride_bytes", toValue(figures.rowStrides)},
                      {"step_bytes", toValue(figures.steps)}};
  if (figures.isWorkgroup)
    addWorkgroup(access, object);
  else
    addGlobal(access, sectorBytes, object);
  object["sample_request"] =
      json::Object{{"lanes", json::Array(access.sample.lanes)},
                   {"addresses", json::Array(access.sample.addresses)}};
  json::Array suggestions;
  for (const std::string &suggestion : access.suggestions)
    suggestions.push_back(suggestion);
  object["suggestions"] = std::move(suggestions);
  return object;
}

static json::Value toValue(const std::optional<DRAMTraffic> &dram) {
  if (!dram)
    return nullptr;
  return json::Object{{"read_bytes", dram->readBytes},
                      {"written_bytes", dram->writtenBytes},
                      {"compulsory_bytes", dram->compulsoryBytes}};
}

static json::Value toValue(const std::optional<Roofline> &roofline) {
  if (!roofline)
    return nullptr;
  return json::Object{
      {"bound", roofline->isMemoryBound() ? "memory" : "arithmetic"},
      {"operations_per_byte", roofline->intensity},
      {"ridge_operations_per_byte", roofline->ridge},
      {"attainable_gflops", roofline->attainableGflops},
      {"memory_microseconds", roofline->memoryMicroseconds},
      {"arithmetic_microseconds", roofline->arithmeticMicroseconds}};
}

static json::Array geometriesOf(const KernelMeasurement &profile) {
  json::Array geometries;
  for (const GeometryCandidate &candidate : profile.geometries) {
    json::Array order, sectors;
    for (unsigned dim : candidate.order)
      order.push_back(dimensionName(dim));
    for (double perRequest : candidate.sectorsPerRequest)
      sectors.push_back(perRequest);
    geometries.push_back(
        json::Object{{"order", std::move(order)},
                     {"sectors", candidate.sectors},
                     {"uncoalesced_accesses", candidate.uncoalesced},
                     {"sectors_per_request", std::move(sectors)}});
  }
  return geometries;
}

/// What makes the compiler take the best geometry; null where the kernel has
/// it.
static json::Value designOf(const KernelMeasurement &profile) {
  const GeometryCandidate *best = profile.bestGeometry();
  if (!best)
    return nullptr;
  return "fastest=" + dimensionName(best->order[0]).str();
}

/// Null without accesses of workgroup memory.
static json::Value workgroupUseOf(const KernelMeasurement &profile) {
  const WorkgroupUse &use = profile.workgroupUse;
  return use.used ? json::Value(double(use.used) / double(use.total))
                  : json::Value(nullptr);
}

static json::Array branchesOf(const KernelMeasurement &profile) {
  json::Array branches;
  for (const BranchCount &branch : profile.counts.branches)
    branches.push_back(json::Object{{"location", branch.location},
                                    {"executions", branch.executions},
                                    {"divergent", branch.divergent}});
  return branches;
}

json::Object gpuopt::makeReport(const KernelMeasurement &profile,
                                TargetAttr target) {
  json::Array accesses, faults;
  for (const AccessMeasurement &access : profile.accesses)
    accesses.push_back(toObject(access, target.getSectorBytes()));
  for (const ExecutionFault &fault : profile.faults)
    faults.push_back(
        json::Object{{"location", fault.location}, {"message", fault.message}});
  const LaunchCounts &counts = profile.counts;
  return json::Object{
      {"kernel", profile.kernel.displayName},
      {"version", profile.isTuned ? "optimized" : "as_written"},
      {"used_fallback", profile.usedFallback},
      {"target", target.getTargetName()},
      {"first_line", profile.kernel.position.line},
      {"grid", toArray(profile.launch.grid)},
      {"block", toArray(profile.launch.block)},
      {"blocks", counts.blocks},
      {"blocks_run", counts.blocksRun},
      {"exact", !profile.isSampled()},
      {"accesses", std::move(accesses)},
      {"global_sectors", profile.globalCost().sectors},
      {"dram", toValue(profile.dram)},
      {"operations", json::Object{{"f16", counts.operations.f16},
                                  {"f32", counts.operations.f32},
                                  {"f64", counts.operations.f64}}},
      {"roofline", toValue(profile.roofline)},
      {"barriers_per_block",
       double(counts.barriers) /
           double(std::max<int64_t>(1, counts.blocksRun))},
      {"workgroup_use", workgroupUseOf(profile)},
      {"branches", branchesOf(profile)},
      {"geometries", geometriesOf(profile)},
      {"design", designOf(profile)},
      {"faults", std::move(faults)}};
}
