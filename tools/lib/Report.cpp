//===- Report.cpp - what was found and done, as JSON ----------------------===//

#include "tools/lib/Report.h"

using namespace gpuopt;
namespace json = llvm::json;

static std::string positionText(const SourcePosition &position) {
  if (!position.line)
    return "";
  return position.file + ":" + std::to_string(position.line) + ":" +
         std::to_string(position.column);
}

static json::Array toArray(const Dim3 &dim) {
  return json::Array{dim[0], dim[1], dim[2]};
}

/// Original launch that a kernel without geometry keeps.
static json::Object originalLaunch() {
  return json::Object{{"keeps_original_launch", true},
                      {"block", nullptr},
                      {"items_per_thread", toArray({1, 1, 1})},
                      {"items_per_block", nullptr}};
}

static json::Object launchOf(const Compilation &compilation,
                             const KernelInfo &kernel,
                             const KernelResources *resources) {
  json::Object launch = originalLaunch();
  if (auto geometry =
          compilation.geometry(kernel, compilation.options().sizes)) {
    json::Array extents;
    for (std::optional<int64_t> extent : geometry->extents)
      extents.push_back(extent ? json::Value(*extent) : json::Value(nullptr));
    launch = json::Object{
        {"keeps_original_launch", false},
        {"block", toArray(geometry->block)},
        {"items_per_thread", toArray(geometry->itemsPerThread)},
        {"items_per_block", toArray(geometry->itemsPerBlock)},
        {"extents", std::move(extents)},
        {"fallback", compilation.fallbackSymbol(kernel)}};
  }
  launch["shared_bytes"] =
      resources ? json::Value(resources->sharedBytes) : json::Value(nullptr);
  launch["dynamic_shared_bytes"] = 0;
  return launch;
}

static json::Object toObject(const Step &step) {
  json::Object metrics;
  for (const auto &[name, value] : step.metrics)
    metrics[name] = value;
  return json::Object{{"pass", step.pass},
                      {"outcome", toString(step.outcome)},
                      {"location", positionText(step.location)},
                      {"reason", step.reason},
                      {"metrics", std::move(metrics)}};
}

static json::Object resourcesOf(const KernelResources *resources) {
  if (!resources)
    return json::Object{{"registers", nullptr},
                        {"spill_bytes", nullptr},
                        {"shared_bytes", nullptr},
                        {"measured_by", nullptr}};
  return json::Object{{"registers", resources->registers},
                      {"spill_bytes", resources->spillBytes},
                      {"shared_bytes", resources->sharedBytes},
                      {"measured_by", resources->measuredBy}};
}

json::Array gpuopt::makeReport(const Compilation &compilation) {
  std::vector<KernelResources> measured = compilation.resources();
  json::Array report;
  for (const KernelInfo &kernel : compilation.kernels()) {
    const KernelResources *resources = nullptr;
    for (const KernelResources &candidate : measured)
      if (candidate.symbol == kernel.symbol)
        resources = &candidate;
    json::Array steps;
    for (const Step &step : compilation.steps())
      if (step.kernel.empty() || step.kernel == kernel.symbol ||
          step.kernel == kernel.name)
        steps.push_back(toObject(step));
    report.push_back(json::Object{
        {"kernel", kernel.displayName},
        {"symbol", kernel.symbol},
        {"target", compilation.target().getTargetName()},
        {"source", positionText(kernel.position)},
        {"launch", launchOf(compilation, kernel, resources)},
        {"resources", resourcesOf(resources)},
        {"steps", std::move(steps)},
        {"variants", json::Array()}});
  }
  return report;
}

static json::Array toArray(const std::vector<ExecutionFault> &faults) {
  json::Array array;
  for (const ExecutionFault &fault : faults)
    array.push_back(json::Object{{"location", fault.location},
                                 {"message", fault.message}});
  return array;
}

json::Object gpuopt::makeReport(const KernelCheck &check) {
  json::Array arrays;
  for (const ArrayComparison &array : check.arrays)
    arrays.push_back(json::Object{{"name", array.name},
                                  {"elements", array.elements},
                                  {"mismatches", array.mismatches},
                                  {"largest_error", array.largestError},
                                  {"tolerance", array.tolerance}});
  return json::Object{
      {"passed", check.passed()},
      {"used_fallback", check.usedFallback},
      {"original", json::Object{{"grid", toArray(check.originalLaunch.grid)},
                                {"block", toArray(check.originalLaunch.block)},
                                {"global_sectors", check.originalSectors},
                                {"faults", toArray(check.originalFaults)}}},
      {"tuned", json::Object{{"grid", toArray(check.tunedLaunch.grid)},
                             {"block", toArray(check.tunedLaunch.block)},
                             {"global_sectors", check.tunedSectors},
                             {"faults", toArray(check.tunedFaults)}}},
      {"arrays", std::move(arrays)}};
}
