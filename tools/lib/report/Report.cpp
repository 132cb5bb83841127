//===- Report.cpp - what was found and done, as JSON ----------------------===//

#include "tools/lib/report/Report.h"

#include "dialects/GPUOpt/AttributeNames.h"
#include "dialects/GPUOpt/DynamicMemory.h"

#include "conversion/ImportSource/Pragma.h"
#include "passes/Analysis/AccessReport.h"
#include "passes/Analysis/Occupancy.h"
#include "passes/Analysis/Traffic.h"
#include "passes/Transforms/BlockOrder/BlockOrder.h"
#include "passes/Transforms/Utils/ItemModel.h"
#include "tools/lib/report/LaunchReport.h"
#include "tools/lib/report/PartitionReport.h"

#include <cstring>

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

/// The place of a step; debug information gives a function no column, which
/// the kernel's own position then fills in.
static std::string positionText(const Step &step, const KernelInfo &kernel) {
  SourcePosition position = step.location;
  if (!position.column && position.line == kernel.position.line)
    position.column = kernel.position.column;
  return positionText(position);
}

/// The launch of a kernel without geometry: the original one, of which `block`
/// is only the default.
static json::Object originalLaunch(const Dim3 &block) {
  return json::Object{{"keeps_original_launch", true},
                      {"block", toArray(block)},
                      {"items_per_thread", toArray({1, 1, 1})},
                      {"items_per_block", toArray(block)}};
}

/// The order in which the blocks of a kernel work: the launch's, or the one
/// that a pass has given them.
static json::Value blockOrderText(mlir::gpu::GPUFuncOp function) {
  BlockOrderAttr order = function ? blockOrderOf(function) : BlockOrderAttr();
  return order ? json::Value(order.describe()) : json::Value("launch");
}

/// Values that may be missing, as null.
static json::Array
toArray(const std::array<std::optional<int64_t>, 3> &values) {
  json::Array array;
  for (std::optional<int64_t> value : values)
    array.push_back(value ? json::Value(*value) : json::Value(nullptr));
  return array;
}

/// A sequence of launches.
static json::Array toArray(const std::vector<KernelLaunch> &launches) {
  json::Array sequence;
  for (const KernelLaunch &launch : launches) {
    json::Array arguments;
    for (const LaunchArgument &argument : launch.arguments) {
      if (argument.parameter) {
        arguments.push_back(argument.name);
        continue;
      }
      uint64_t bits = 0;
      std::memcpy(&bits, argument.bytes.data(),
                  std::min<size_t>(sizeof bits, argument.bytes.size()));
      arguments.push_back(
          json::Object{{"name", argument.name},
                       {"bits", bits},
                       {"bytes", static_cast<int64_t>(argument.bytes.size())}});
    }
    sequence.push_back(json::Object{{"symbol", launch.symbol},
                                    {"grid", toArray(launch.config.grid)},
                                    {"block", toArray(launch.config.block)},
                                    {"arguments", std::move(arguments)}});
  }
  return sequence;
}

/// Workgroup memory that a launch of the tuned kernel has to ask for.
static int64_t dynamicBytesOf(const Compilation &compilation,
                              const KernelInfo &kernel) {
  mlir::gpu::GPUFuncOp tuned = compilation.tunedKernel(kernel);
  return tuned ? dynamicBytesOf(tuned, mostDeclaredBytes(compilation.target()))
               : 0;
}

static json::Object launchOf(const Compilation &compilation,
                             const KernelInfo &kernel, int64_t sharedBytes) {
  json::Object launch = originalLaunch(compilation.defaultBlock(kernel));
  if (auto geometry =
          compilation.geometry(kernel, compilation.options().sizes)) {
    launch =
        json::Object{{"keeps_original_launch", false},
                     {"block", toArray(geometry->block)},
                     {"items_per_thread", toArray(geometry->itemsPerThread)},
                     {"items_per_block", toArray(geometry->itemsPerBlock)},
                     {"extents", toArray(geometry->extents)},
                     {"original_block", toArray(geometry->originalBlock)},
                     {"fallback", compilation.fallbackSymbol(kernel)}};
  }
  json::Array compared;
  for (const ArrayUse &array :
       compilation.arraysToCompare(kernel, compilation.options().sizes))
    compared.push_back(
        json::Object{{"array", array.name},
                     {"elements", array.elements ? json::Value(*array.elements)
                                                 : json::Value(nullptr)},
                     {"element_bytes", array.elementBytes},
                     {"must_be_distinct", array.mustBeDistinct}});
  auto items = compilation.workItems(kernel, compilation.options().sizes);
  launch["work_items"] =
      items ? json::Value(toArray(*items)) : json::Value(nullptr);
  bool isConditional = !compared.empty() || items;
  launch["compared_arrays"] = std::move(compared);
  json::Array aligned, required;
  for (const ArrayAlignment &array : compilation.alignedArrays(kernel))
    aligned.push_back(
        json::Object{{"array", array.name}, {"bytes", array.bytes}});
  for (const LaunchCondition &condition :
       compilation.conditions(kernel, compilation.options().sizes))
    required.push_back(
        json::Object{{"condition", condition.text},
                     {"holds", condition.holds ? json::Value(*condition.holds)
                                               : json::Value(nullptr)}});
  isConditional |= !aligned.empty() || !required.empty();
  launch["aligned_arrays"] = std::move(aligned);
  launch["requires"] = std::move(required);
  if (isConditional || !compilation.specializedSizes(kernel).empty())
    launch["fallback"] = compilation.fallbackSymbol(kernel);
  launch["block_order"] = blockOrderText(compilation.tunedKernel(kernel));
  launch["cooperative"] = compilation.isCooperative(kernel);
  launch["shared_bytes"] = sharedBytes;
  launch["dynamic_shared_bytes"] = dynamicBytesOf(compilation, kernel);
  launch["arithmetic"] = nullptr;
  if (compilation.tunedKernel(kernel))
    launch["arithmetic"] = reportArithmetic(compilation, kernel);
  return launch;
}

/// Where the pragma and --size tell, the launches that an original launch of
/// default shape becomes; else null.
static json::Value sequenceOf(const Compilation &compilation,
                              const KernelInfo &kernel) {
  const SizeMap &sizes = compilation.options().sizes;
  LaunchConfig original;
  original.block = compilation.defaultBlock(kernel);
  if (!kernel.pragma || kernel.pragma->domain.empty())
    return nullptr;
  for (auto [dim, text] : llvm::enumerate(kernel.pragma->domain)) {
    llvm::Expected<int64_t> extent = evaluateExtent(text, sizes);
    if (!extent) {
      llvm::consumeError(extent.takeError());
      return nullptr;
    }
    if (dim < 3)
      original.grid[dim] =
          std::max<int64_t>(1, llvm::divideCeil(std::max<int64_t>(*extent, 0),
                                                original.block[dim]));
  }
  auto launches = compilation.launches(kernel, sizes, original);
  if (!launches) {
    llvm::consumeError(launches.takeError());
    return nullptr;
  }
  return toArray(*launches);
}

static json::Object toObject(const SizeMap &sizes) {
  json::Object object;
  for (const auto &[name, value] : sizes)
    object[name.str()] = value;
  return object;
}

static json::Object
toObject(const std::vector<std::pair<std::string, std::string>> &texts) {
  json::Object object;
  for (const auto &[name, text] : texts)
    object[name] = text;
  return object;
}

static json::Object toObject(const Step &step, const KernelInfo &kernel) {
  return json::Object{{"code", toString(step.code)},
                      {"pass", step.pass},
                      {"outcome", toString(step.outcome)},
                      {"location", positionText(step, kernel)},
                      {"reason", step.reason},
                      {"values", toObject(step.values)},
                      {"metrics", toObject(step.metrics)}};
}

/// The instructions of a kernel's main loop; null where they are not known.
static json::Value toValue(const std::optional<InstructionMix> &mix) {
  if (!mix)
    return nullptr;
  json::Object opcodes;
  for (const auto &[opcode, count] : mix->opcodes)
    opcodes[opcode] = count;
  return json::Object{{"measured_by", mix->measuredBy},
                      {"is_loop", mix->isLoop},
                      {"instructions", mix->instructions},
                      {"multiply_adds", mix->multiplyAdds},
                      {"matrix_products", mix->matrixProducts},
                      {"multiply_add_share", mix->multiplyAddShare()},
                      {"opcodes", std::move(opcodes)}};
}

/// Registers and occupancy; null where neither ptxas nor LLVM could tell.
static json::Object resourcesOf(const KernelResources *resources,
                                TargetAttr target, const Dim3 &block,
                                int64_t sharedBytes) {
  json::Object object{
      {"registers", nullptr},        {"spill_bytes", nullptr},
      {"shared_bytes", sharedBytes}, {"blocks_per_sm", nullptr},
      {"occupancy", nullptr},        {"measured_by", "estimate"},
      {"instruction_mix", nullptr}};
  if (!resources)
    return object;
  OccupancyFact occupancy = computeOccupancy(
      {block[0] * block[1] * block[2], resources->registers, sharedBytes},
      target);
  object["registers"] = resources->registers;
  object["spill_bytes"] = resources->spillBytes;
  object["blocks_per_sm"] = occupancy.blocksPerMultiprocessor;
  object["occupancy"] = occupancy.occupancy;
  object["measured_by"] = resources->measuredBy;
  object["instruction_mix"] = toValue(resources->instructionMix);
  return object;
}

static json::Array toArray(const LoadSharing &load) {
  json::Array shared;
  auto add = [&](Neighbours between, unsigned dimension,
                 const SharingFact &fact) {
    if (!fact.isShared())
      return;
    json::Object object{
        {"between", stringifyNeighbours(between)},
        {"direction", stringifyDirection(static_cast<Direction>(dimension))},
        {"kind", stringifySharingKind(fact.kind)},
        {"distance", fact.distance},
        {"overlap", fact.overlap},
        {"reuse", nullptr}};
    if (std::optional<double> reuse = fact.reuse())
      object["reuse"] = *reuse;
    shared.push_back(std::move(object));
  };
  for (unsigned dimension = 0; dimension < 3; ++dimension) {
    add(Neighbours::Threads, dimension, load.threads[dimension]);
    add(Neighbours::Blocks, dimension, load.blocks[dimension]);
  }
  return shared;
}

static json::Object toObject(const AccessReport &access) {
  json::Object object{{"location", access.location},
                      {"array", access.array},
                      {"kind", stringifyAccessKind(access.kind)},
                      {"space", stringifyMemorySpace(access.space)},
                      {"bytes", access.bytes},
                      {"function", access.function},
                      {"verdict", nullptr},
                      {"stride_bytes", nullptr},
                      {"sectors_per_request", nullptr},
                      {"bank_conflict_degree", nullptr},
                      {"executions", access.executions},
                      {"executions_exact", access.executionsExact}};
  if (access.sharing) {
    object["staging"] = stringifyStaging(access.sharing->staging);
    object["sharing"] = toArray(*access.sharing);
  }
  json::Array assumptions;
  for (const std::string &assumption : access.coalescing.assumptions)
    assumptions.push_back(assumption);
  object["assumptions"] = std::move(assumptions);
  if (access.space == MemorySpace::Workgroup) {
    if (access.bankConflictDegree)
      object["bank_conflict_degree"] = access.bankConflictDegree;
    return object;
  }
  object["verdict"] = stringifyVerdict(access.coalescing.verdict);
  if (access.coalescing.verdict == Verdict::Unresolved) {
    object["reason"] = access.coalescing.reason;
    return object;
  }
  object["stride_bytes"] = access.coalescing.strideBytes;
  if (access.space != MemorySpace::Constant)
    object["sectors_per_request"] = access.coalescing.sectorsPerRequest();
  return object;
}

/// The kernel's accesses when launched with `block`.
static json::Array accessesOf(mlir::Operation *kernel, TargetAttr target,
                              const BlockShape &block, const SizeMap &sizes) {
  json::Array accesses;
  if (kernel)
    for (const AccessReport &access :
         collectAccesses(kernel, target, block, sizes))
      accesses.push_back(toObject(access));
  return accesses;
}

static json::Object trafficOf(mlir::gpu::GPUFuncOp kernel, TargetAttr target,
                              const BlockShape &block, const SizeMap &sizes) {
  if (!kernel)
    return json::Object();
  TrafficFact traffic = computeTraffic(kernel, target, block, sizes);
  ModelledItem modelled = modelItem(kernel, target, block, sizes);
  json::Array assumptions;
  for (const std::string &assumption : traffic.assumptions)
    assumptions.push_back(assumption);
  return json::Object{{"sectors_per_item", traffic.sectorsPerItem},
                      {"load_sectors_per_item", traffic.loadSectorsPerItem},
                      {"store_sectors_per_item", traffic.storeSectorsPerItem},
                      {"requests_per_item", traffic.requestsPerItem},
                      {"unresolved_accesses", traffic.unresolvedAccesses},
                      {"dram_bytes_per_item", modelled.dramBytes},
                      {"model_ns_per_item", modelled.nanoseconds},
                      {"assumptions", std::move(assumptions)}};
}

/// What the passes said about `kernel`.
json::Array gpuopt::makeStepsReport(const Compilation &compilation,
                                    const KernelInfo &kernel) {
  json::Array steps;
  std::vector<KernelInfo> phases = compilation.phases(kernel);
  for (const Step &step : compilation.steps())
    if (step.isAbout(kernel) ||
        llvm::any_of(phases, [&](const KernelInfo &phase) {
          return step.isAbout(phase);
        }))
      steps.push_back(toObject(step, kernel));
  return steps;
}

/// What ptxas or LLVM found out about the kernel; null where nothing.
static const KernelResources *findResources(const Compilation &compilation,
                                            const KernelInfo &kernel) {
  const std::vector<KernelResources> &measured = compilation.resources();
  auto found = llvm::find_if(measured, [&](const auto &candidate) {
    return candidate.symbol == kernel.symbol;
  });
  return found == measured.end() ? nullptr : &*found;
}

/// One of the kernels that grid-wide synchronisation has made of `kernel`.
static json::Object reportPhase(const Compilation &compilation,
                                const KernelInfo &kernel,
                                const KernelInfo &phase) {
  TargetAttr target = compilation.target();
  const SizeMap &sizes = compilation.options().sizes;
  mlir::gpu::GPUFuncOp function = compilation.tunedKernel(phase);
  const KernelResources *resources = findResources(compilation, phase);
  int64_t sharedBytes =
      resources ? resources->sharedBytes : declaredWorkgroupBytes(function);
  Dim3 block = compilation.defaultBlock(kernel);
  if (auto geometry = compilation.geometry(phase, sizes))
    block = geometry->block;
  json::Object launch = launchOf(compilation, phase, sharedBytes);
  // A kernel for several steps: the sequence says how many blocks.
  if (auto threads = function.getKnownBlockSize();
      threads && !compilation.geometry(phase, sizes)) {
    llvm::copy(*threads, block.begin());
    launch["keeps_original_launch"] = false;
    launch["block"] = toArray(block);
    launch["items_per_thread"] = launch["items_per_block"] = nullptr;
  }
  json::Array parameters;
  for (const KernelParameter &parameter : phase.parameters)
    parameters.push_back(parameter.name);
  return json::Object{
      {"symbol", phase.symbol},
      {"parameters", std::move(parameters)},
      {"launch", std::move(launch)},
      {"resources", resourcesOf(resources, target, block, sharedBytes)},
      {"traffic", trafficOf(function, target, block, sizes)},
      {"accesses", accessesOf(function, target, block, sizes)}};
}

static json::Object reportKernel(const Compilation &compilation,
                                 const KernelInfo &kernel) {
  const KernelResources *resources = findResources(compilation, kernel);
  TargetAttr target = compilation.target();
  const SizeMap &sizes = compilation.options().sizes;
  Dim3 block = compilation.defaultBlock(kernel);
  mlir::gpu::GPUFuncOp before = compilation.raisedKernel(kernel);
  mlir::gpu::GPUFuncOp after = compilation.tunedKernel(kernel);
  int64_t sharedBytes = after ? declaredWorkgroupBytes(after) : 0;
  if (resources)
    sharedBytes = resources->sharedBytes;
  Dim3 tunedBlock = block;
  if (auto geometry = compilation.geometry(kernel, sizes))
    tunedBlock = geometry->block;
  json::Object report{
      {"kernel", kernel.displayName},
      {"symbol", kernel.symbol},
      {"target", target.getTargetName()},
      {"source", positionText(kernel.position)},
      {"raised", static_cast<bool>(before)},
      {"parameters", reportParameters(compilation, kernel)},
      {"specialized", toObject(compilation.specializedSizes(kernel))},
      {"launch", launchOf(compilation, kernel, sharedBytes)},
      {"resources",
       resourcesOf(resources, target, tunedBlock,
                   resources ? sharedBytes + dynamicBytesOf(compilation, kernel)
                             : sharedBytes)},
      {"traffic",
       json::Object{{"before", trafficOf(before, target, block, sizes)},
                    {"after", trafficOf(after, target, block, sizes)}}},
      {"accesses",
       json::Object{{"before", accessesOf(before, target, block, sizes)},
                    {"after", accessesOf(after, target, tunedBlock, sizes)}}},
      {"partitions", reportPartitions(compilation, kernel, resources)},
      {"steps", makeStepsReport(compilation, kernel)},
      {"variants", json::Array()}};
  if (!compilation.isSplit(kernel))
    return report;
  json::Object &launch = *report.getObject("launch");
  launch["keeps_original_launch"] = false;
  launch["sequence"] = sequenceOf(compilation, kernel);
  json::Array phases;
  for (const KernelInfo &phase : compilation.phases(kernel))
    phases.push_back(reportPhase(compilation, kernel, phase));
  report["phases"] = std::move(phases);
  return report;
}

json::Array gpuopt::makeReport(const Compilation &compilation) {
  json::Array report;
  for (const KernelInfo &kernel : compilation.kernels())
    report.push_back(reportKernel(compilation, kernel));
  return report;
}

static json::Array toArray(const std::vector<ExecutionFault> &faults) {
  json::Array array;
  for (const ExecutionFault &fault : faults)
    array.push_back(
        json::Object{{"location", fault.location}, {"message", fault.message}});
  return array;
}

/// One run of a kernel.
static json::Object runOf(const LaunchConfig &launch, uint64_t sectors,
                          const DRAMTraffic &dram,
                          const std::vector<ExecutionFault> &faults) {
  return json::Object{
      {"grid", toArray(launch.grid)},
      {"block", toArray(launch.block)},
      {"global_sectors", sectors},
      {"dram", json::Object{{"read_bytes", dram.readBytes},
                            {"written_bytes", dram.writtenBytes},
                            {"compulsory_bytes", dram.compulsoryBytes}}},
      {"faults", toArray(faults)}};
}

/// The original has run before, and no traffic is counted.
static json::Object reportOfText(const KernelCheck &text) {
  json::Object report = makeReport(text);
  report.erase("original");
  json::Object &run = *report.getObject("tuned");
  run.erase("global_sectors");
  run.erase("dram");
  return report;
}

json::Object gpuopt::makeReport(const KernelCheck &check) {
  json::Array arrays;
  for (const ArrayComparison &array : check.arrays)
    arrays.push_back(
        json::Object{{"name", array.name},
                     {"elements", array.elements},
                     {"mismatches", array.mismatches},
                     {"within_bound", array.withinBound},
                     {"without_bound", array.withoutBound},
                     {"stray_writes", array.strayWrites},
                     {"largest_error", array.largestError},
                     {"largest_share_of_bound", array.largestShareOfBound}});
  json::Object tuned =
      runOf(check.tunedLaunches.empty() ? LaunchConfig()
                                        : check.tunedLaunches.front().config,
            check.tunedSectors, check.tunedDRAM, check.tunedFaults);
  tuned["sequence"] = toArray(check.tunedLaunches);
  tuned["idle_reads"] = check.idleReads;
  tuned["idle_races"] = check.idleRaces;
  json::Array reasons;
  for (const std::string &reason : check.roundingReasons)
    reasons.push_back(reason);
  json::Array races;
  for (const ExecutionFault &race : check.sourceRaces)
    races.push_back(race.location + ": " + race.message);
  json::Array unset;
  for (const ExecutionFault &use : check.unsetUses)
    unset.push_back(use.location + ": " + use.message);
  json::Value extremes = nullptr;
  if (!check.withExtremes.empty())
    extremes = makeReport(check.withExtremes.front());
  json::Value text = nullptr;
  if (!check.asText.empty())
    text = reportOfText(check.asText.front());
  return json::Object{
      {"passed", check.passed()},
      {"verdict", verdictName(check.verdict())},
      {"undefined", check.verdict() == CheckVerdict::Undefined},
      {"used_fallback", check.usedFallback()},
      {"rounding_reasons", std::move(reasons)},
      {"with_extreme_inputs", std::move(extremes)},
      {"extreme_inputs_skipped", check.extremesSkipped},
      {"as_text", std::move(text)},
      {"text_skipped", check.textSkipped},
      {"without_fusing", check.isWithoutFusing},
      {"made_up_integers", json::Array(check.madeUpIntegers)},
      {"original", runOf(check.originalLaunch, check.originalSectors,
                         check.originalDRAM, check.originalFaults)},
      {"source_races", std::move(races)},
      {"races_explain_outputs", check.racesExplainOutputs},
      {"unset_uses", std::move(unset)},
      {"unset_uses_explain_outputs", check.unsetUsesExplainOutputs},
      {"tuned", std::move(tuned)},
      {"arrays", std::move(arrays)}};
}
