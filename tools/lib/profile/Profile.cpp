//===- Profile.cpp - what a kernel asks of memory -------------------------===//

#include "tools/lib/profile/Profile.h"

#include "conversion/EmitSource/ArrayNames.h"
#include "passes/Analysis/Occupancy.h"
#include "passes/Analysis/PartitionCamping.h"
#include "tools/lib/launch/HostVariables.h"
#include "tools/lib/launch/RunLimits.h"
#include "tools/lib/profile/AccessSums.h"
#include "tools/lib/profile/TextTrace.h"

#include "llvm/ADT/STLExtras.h"

#include <mutex>

using namespace gpuopt;
using llvm::Error;
using llvm::Expected;

namespace {

/// Runs one version of a kernel, as often as needed, on the same data.
class Profiler {
public:
  Profiler(const Compilation &compilation, const KernelInfo &kernel, bool tuned,
           const ProfileOptions &options)
      : compilation(compilation), target(compilation.target()), kernel(kernel),
        isTuned(tuned), options(options) {}

  Expected<KernelMeasurement> run();

private:
  /// One launch and what its sinks saw.
  struct Launch {
    ExecutionResult result;
    std::vector<std::unique_ptr<ProfileSink>> sinks;
    std::vector<std::unique_ptr<RequestSink>> traces;
    uint64_t accesses() const;
  };

  Error createExecutor();
  Expected<Launch> launch(int64_t sampledBlocks,
                          const std::array<unsigned, 3> &order,
                          bool keepAddresses, TraceFile *trace = nullptr);
  int64_t activeBlocks() const;
  Expected<int64_t> chooseSample(uint64_t most);
  Expected<int64_t> sampledBlocks();
  Error tryGeometries(KernelMeasurement &profile);
  GeometryCandidate judgeGeometry(const Launch &launch,
                                  const KernelMeasurement &profile) const;

  const Compilation &compilation;
  TargetAttr target;
  const KernelInfo &kernel;
  bool isTuned;
  const ProfileOptions &options;
  std::unique_ptr<CPUExecutor> executor;
  std::optional<Problem> problem;
  KernelLaunch what;
  /// Accesses of one block.
  uint64_t blockAccesses = 0;
};

} // namespace

double AccessMeasurement::efficiency(int64_t sectorBytes) const {
  return figures.cost.sectors ? double(figures.cost.usedBytes) /
                                    double(figures.cost.sectors * sectorBytes)
                              : 0;
}

RequestCost KernelMeasurement::globalCost() const {
  AccessFigures total;
  for (const AccessMeasurement &access : accesses)
    total.add(access.figures);
  return total.cost;
}

uint64_t KernelMeasurement::globalRequests() const {
  uint64_t requests = 0;
  for (const AccessMeasurement &access : accesses)
    if (!access.figures.isWorkgroup)
      requests += access.figures.requests;
  return requests;
}

uint64_t KernelMeasurement::branches() const {
  uint64_t executions = 0;
  for (const BranchCount &branch : counts.branches)
    executions += branch.executions;
  return executions;
}

uint64_t KernelMeasurement::divergentBranches() const {
  uint64_t divergent = 0;
  for (const BranchCount &branch : counts.branches)
    divergent += branch.divergent;
  return divergent;
}

llvm::StringRef gpuopt::dimensionName(unsigned dimension) {
  static constexpr llvm::StringLiteral names[] = {"x", "y", "z"};
  return names[dimension];
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

uint64_t Profiler::Launch::accesses() const {
  uint64_t total = 0;
  for (const auto &sink : sinks)
    for (const AccessFigures &figures : sink->figures())
      total += figures.executions;
  return total;
}

/// Has the executor call the workgroup arrays of `kernel` what they are called
/// in printed source.
static void nameWorkgroupArrays(const Compilation &compilation,
                                const KernelInfo &kernel,
                                llvm::Module &module) {
  for (const KernelInfo &phase : compilation.phases(kernel)) {
    mlir::gpu::GPUFuncOp function = compilation.tunedKernel(phase);
    if (!function)
      continue;
    for (auto [index, name] : llvm::enumerate(workgroupArrayNames(function))) {
      std::string symbol = "__wg_" + phase.symbol + "_" + std::to_string(index);
      llvm::GlobalVariable *array = module.getNamedGlobal(symbol);
      // What stands before the colons, the executor does not say.
      if (array && !name.empty())
        array->setName(symbol.substr(2) + "::" + name);
    }
  }
}

Error Profiler::createExecutor() {
  CPUExecutorOptions settings;
  settings.subgroupSize = target.getSubgroupSize();
  settings.countSectorBytes = target.getSectorBytes();
  settings.cacheBytes = target.getL2Bytes();
  settings.cacheLineBytes = target.getLineBytes();
  settings.profile = true;
  settings.compileQuickly = true;
  settings.maxSeconds = options.maxSeconds;
  settings.maxSteps = isTuned ? maxStepsOfTuned(options.maxSteps,
                                                problem->launch(), what.config)
                              : options.maxSteps;
  settings.stop = options.stop;
  if (ProgressLine *line = options.progress)
    settings.progress = [line](int64_t started, int64_t blocks) {
      line->update(started, blocks);
    };
  llvm::LLVMContext context;
  auto module =
      isTuned ? compilation.lowered(context) : compilation.untouched(context);
  if (!module)
    return module.takeError();
  if (isTuned)
    nameWorkgroupArrays(compilation, kernel, **module);
  auto created = CPUExecutor::create(**module, settings);
  if (!created)
    return created.takeError();
  executor = std::move(*created);
  return fillVariables(*executor, findHostVariables(**module), options.run);
}

/// As many blocks are active at once as the threads and the workgroup memory of
/// the multiprocessors allow; 0 where there are no partitions to camp in.
int64_t Profiler::activeBlocks() const {
  if (!partitionPeriod(target))
    return 0;
  const Dim3 &block = what.config.block;
  mlir::gpu::GPUFuncOp function = isTuned ? compilation.tunedKernel(kernel)
                                          : compilation.raisedKernel(kernel);
  int64_t workgroupBytes = what.config.dynamicSharedBytes +
                           (function ? declaredWorkgroupBytes(function) : 0);
  OccupancyFact occupancy =
      computeOccupancy({block[0] * block[1] * block[2],
                        /*registersPerThread=*/0, workgroupBytes},
                       target);
  return std::max<int64_t>(1, occupancy.blocksPerMultiprocessor) *
         target.getMultiprocessors();
}

/// Runs on a copy of the data: each launch starts from the same.
Expected<Profiler::Launch>
Profiler::launch(int64_t sampledBlocks, const std::array<unsigned, 3> &order,
                 bool keepAddresses, TraceFile *trace) {
  Problem data = *problem;
  Launch launch;
  std::mutex mutex;
  ProfileRun run;
  run.sampledBlocks = sampledBlocks;
  run.laneOrder = order;
  run.makeSink = [&](llvm::ArrayRef<AccessSite> sites) -> RequestSink * {
    std::lock_guard<std::mutex> lock(mutex);
    launch.sinks.push_back(std::make_unique<ProfileSink>(
        target, sites, rowLength(what.config.block, order), keepAddresses,
        activeBlocks()));
    RequestSink *sink = launch.sinks.back().get();
    if (!trace)
      return sink;
    trace->begin(
        sites, llvm::json::Object{{"kernel", kernel.displayName},
                                  {"target", target.getTargetName()},
                                  {"subgroup_size", target.getSubgroupSize()}});
    if (trace->isText())
      launch.traces.push_back(std::make_unique<TextTraceSink>(
          *trace, sites, what.config, target.getSubgroupSize(), *sink));
    else
      launch.traces.push_back(std::make_unique<TraceSink>(*trace, *sink));
    return launch.traces.back().get();
  };
  auto result =
      executor->profile(what.symbol, what.config, data.arguments(), run);
  if (options.progress)
    options.progress->clear();
  if (!result)
    return result.takeError();
  launch.result = std::move(*result);
  launch.traces.clear();
  return launch;
}

/// The number of blocks that access memory about `most` times; 0 for all where
/// these do no more.
Expected<int64_t> Profiler::chooseSample(uint64_t most) {
  if (!blockAccesses) {
    auto one = launch(1, {0, 1, 2}, /*keepAddresses=*/false);
    if (!one)
      return one.takeError();
    blockAccesses = std::max<uint64_t>(1, one->accesses());
  }
  const Dim3 &grid = what.config.grid;
  uint64_t blocks = grid[0] * grid[1] * grid[2];
  return blocks <= most / blockAccesses
             ? 0
             : std::max<int64_t>(8, int64_t(most / blockAccesses));
}

//===----------------------------------------------------------------------===//
// Other geometries
//===----------------------------------------------------------------------===//

GeometryCandidate
Profiler::judgeGeometry(const Launch &launch,
                        const KernelMeasurement &profile) const {
  GeometryCandidate candidate;
  std::vector<AccessMeasurement> accesses =
      collectAccesses(launch.sinks, target, /*isExact=*/false);
  for (const AccessMeasurement &wanted : profile.accesses) {
    auto found = llvm::find_if(accesses, [&](const AccessMeasurement &access) {
      return access.isSameAs(wanted);
    });
    if (found == accesses.end() || found->figures.isWorkgroup) {
      candidate.sectorsPerRequest.push_back(0);
      continue;
    }
    candidate.sectors += found->figures.cost.sectors;
    candidate.uncoalesced += !found->isCoalesced();
    candidate.sectorsPerRequest.push_back(
        found->perRequest(double(found->figures.cost.sectors)));
  }
  return candidate;
}

/// Runs the kernel with each dimension of its blocks as the fastest (section
/// 4.2.1 of the paper), where some access wastes transactions.
Error Profiler::tryGeometries(KernelMeasurement &profile) {
  const Dim3 &block = what.config.block;
  RequestCost cost = profile.globalCost();
  size_t dimensions =
      llvm::count_if(block, [](int64_t extent) { return extent > 1; });
  if (dimensions < 2 || profile.counts.usesSubgroups ||
      cost.sectors <= cost.neededSectors)
    return Error::success();
  Expected<int64_t> sample = chooseSample(ProfileOptions::sampleAccesses);
  if (!sample)
    return sample.takeError();
  for (unsigned fastest = 0; fastest < 3; ++fastest) {
    if (fastest && block[fastest] == 1)
      continue;
    std::array<unsigned, 3> order = {0, 1, 2};
    // The other two do not matter for coalescing.
    std::swap(order[0], order[fastest]);
    if (options.progress)
      options.progress->start(kernel.displayName + ": with " +
                              dimensionName(fastest).str() + " as x");
    auto candidate = launch(*sample, order, /*keepAddresses=*/false);
    if (!candidate)
      return candidate.takeError();
    profile.geometries.push_back(judgeGeometry(*candidate, profile));
    profile.geometries.back().order = order;
  }
  return Error::success();
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

/// How many blocks to run, 0 for all: what was asked for, else all of them
/// where their accesses are few enough.
Expected<int64_t> Profiler::sampledBlocks() {
  if (options.sampledBlocks)
    return *options.sampledBlocks;
  Expected<int64_t> all = chooseSample(ProfileOptions::exactAccesses);
  if (!all || !*all)
    return all;
  return chooseSample(ProfileOptions::sampleAccesses);
}

Expected<KernelMeasurement> Profiler::run() {
  Expected<Problem> created = Problem::create(compilation, kernel, options.run);
  if (!created)
    return created.takeError();
  problem = std::move(*created);
  KernelMeasurement profile;
  profile.kernel = kernel;
  profile.isTuned = isTuned;
  what.symbol = kernel.symbol;
  what.config = problem->launch();
  if (isTuned) {
    auto launches = compilation.launches(
        kernel, problem->scalars(), problem->launch(), problem->addresses());
    if (!launches)
      return launches.takeError();
    if (launches->size() != 1 || !launches->front().arguments.empty())
      return llvm::createStringError(
          "the optimized kernel is a sequence of %zu launches, since it "
          "synchronises the grid; only the kernel as written can be profiled",
          launches->size());
    what = launches->front();
  }
  profile.usedFallback = what.isFallback;
  profile.launch = what.config;
  if (Error error = createExecutor())
    return error;
  if (options.progress)
    options.progress->start(kernel.displayName +
                            (isTuned ? ": tuned kernel" : ": as written"));
  Expected<int64_t> sample = sampledBlocks();
  if (!sample)
    return sample.takeError();
  const Dim3 &grid = what.config.grid;
  bool isExact = !*sample || *sample >= grid[0] * grid[1] * grid[2];
  auto launched = launch(*sample, {0, 1, 2}, isExact, options.trace);
  if (!launched)
    return launched.takeError();
  profile.faults = std::move(launched->result.faults);
  profile.counts = std::move(launched->result.profile);
  if (!profile.isSampled())
    profile.dram = launched->result.dram;
  profile.accesses =
      collectAccesses(launched->sinks, target, !profile.isSampled());
  for (const auto &sink : launched->sinks)
    profile.workgroupUse.add(sink->workgroupUse());
  profile.roofline = findRoofline(profile, target);
  if (profile.faults.empty())
    if (Error error = tryGeometries(profile))
      return error;
  judgeProfile(profile, target);
  return profile;
}

Expected<KernelMeasurement>
gpuopt::profileKernel(const Compilation &compilation, const KernelInfo &kernel,
                      bool tuned, const ProfileOptions &options) {
  return Profiler(compilation, kernel, tuned, options).run();
}
