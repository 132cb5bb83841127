//===- Probe.cpp - what a kernel does with a launch -----------------------===//

#include "tools/lib/launch/Probe.h"

#include <mutex>

using namespace gpuopt;
using llvm::Expected;

namespace {

/// Notes the accesses of the blocks that one host thread runs.
class ReachSink : public RequestSink {
public:
  ReachSink(llvm::ArrayRef<AccessSite> sites, const Dim3 &grid)
      : executions(sites.size()), sites(sites), grid(grid) {}

  void startBlock(int64_t number) override {
    block = {number % grid[0], number / grid[0] % grid[1],
             number / grid[0] / grid[1]};
  }
  void request(const MemoryRequest &request) override;
  void addTo(ProbeResult &result) const;

  /// By number of the buffer or variable.
  std::map<int64_t, uint64_t> reached;
  std::vector<uint64_t> executions;

private:
  llvm::ArrayRef<AccessSite> sites;
  Dim3 grid, block = {0, 0, 0}, activeGrid = {1, 1, 1};
  bool hasStored = false;
};

} // namespace

void ReachSink::request(const MemoryRequest &request) {
  executions[request.site] += request.lanes.size();
  if (request.isWorkgroup)
    return;
  for (int64_t address : request.addresses) {
    uint64_t offset = address & ((int64_t(1) << 48) - 1);
    uint64_t &end = reached[address >> 48];
    end = std::max(end, offset + request.bytes);
  }
  for (unsigned dim = 0; dim < 3; ++dim)
    activeGrid[dim] = std::max(activeGrid[dim], block[dim] + 1);
  hasStored |= sites[request.site].kind != AccessSite::Kind::Read;
}

void ReachSink::addTo(ProbeResult &result) const {
  for (unsigned dim = 0; dim < 3; ++dim)
    result.activeGrid[dim] = std::max(result.activeGrid[dim], activeGrid[dim]);
  result.hasStored |= hasStored;
}

Expected<Probe> Probe::create(const Compilation &compilation,
                              const KernelInfo &kernel, double maxSeconds) {
  Probe probe(compilation, kernel);
  CPUExecutorOptions settings;
  settings.subgroupSize = compilation.target().getSubgroupSize();
  settings.profile = true;
  settings.checkRaces = true;
  settings.checkUninitialised = true;
  settings.compileQuickly = true;
  settings.maxSeconds = maxSeconds;
  settings.maxFaultPlaces = 1;
  llvm::LLVMContext context;
  auto module = compilation.untouched(context);
  if (!module)
    return module.takeError();
  probe.variables = findHostVariables(**module);
  probe.subscriptUses = findSubscripts(**module, kernel.symbol);
  auto executor = CPUExecutor::create(**module, settings);
  if (!executor)
    return executor.takeError();
  probe.executor = std::move(*executor);
  return probe;
}

Expected<ProbeResult> Probe::run(const RunOptions &options) {
  Expected<Problem> problem =
      Problem::create(*compilation, *kernel, options, subscriptUses);
  if (!problem)
    return problem.takeError();
  if (llvm::Error error = fillVariables(*executor, variables, options))
    return error;
  ProbeResult probed;
  probed.launch = problem->launch();
  probed.bytes = problem->arrayBytes();
  std::mutex mutex;
  std::vector<std::unique_ptr<ReachSink>> sinks;
  ProfileRun run;
  run.makeSink = [&](llvm::ArrayRef<AccessSite> sites) -> RequestSink * {
    std::lock_guard<std::mutex> lock(mutex);
    sinks.push_back(std::make_unique<ReachSink>(sites, probed.launch.grid));
    // Branches and loops have no bytes.
    probed.sites = llvm::count_if(
        sites, [](const AccessSite &site) { return site.bytes > 0; });
    return sinks.back().get();
  };
  auto result = executor->profile(kernel->symbol, probed.launch,
                                  problem->arguments(), run);
  if (!result)
    return result.takeError();
  probed.skippedRaces = result->skippedRaces;
  probed.faults = std::move(result->faults);

  // The arrays are numbered behind the variables, in the order of the
  // parameters.
  std::vector<std::string> names(executor->globals().size());
  for (const KernelArgument &argument : problem->arguments())
    if (argument.kind == KernelArgument::Kind::Buffer)
      names.push_back(argument.name);
  std::vector<uint64_t> executions;
  for (const auto &sink : sinks) {
    sink->addTo(probed);
    for (auto [number, end] : sink->reached)
      probed.reachedBytes[names[number]] =
          std::max(probed.reachedBytes[names[number]], end);
    executions.resize(sink->executions.size());
    for (auto [sum, count] : llvm::zip(executions, sink->executions))
      sum += count;
  }
  for (uint64_t count : executions) {
    probed.executedSites += count > 0;
    probed.accesses += count;
  }
  return probed;
}
