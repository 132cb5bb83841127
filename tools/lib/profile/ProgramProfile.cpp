//===- ProgramProfile.cpp - the kernels of a running program --------------===//

#include "tools/lib/profile/ProgramProfile.h"

#include "dialects/GPUOpt/KnownTargets.h"
#include "tools/lib/profile/AccessSums.h"
#include "tools/lib/profile/RequestTrace.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Support/FormatVariadic.h"

using namespace gpuopt;
using llvm::Error;

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

static void addCounts(LaunchCounts &counts, const LaunchCounts &more) {
  counts.blocks += more.blocks;
  counts.blocksRun += more.blocksRun;
  counts.barriers += more.barriers;
  counts.operations.add(more.operations);
  counts.usesSubgroups |= more.usesSubgroups;
  for (const BranchCount &branch : more.branches) {
    auto known = llvm::find_if(counts.branches, [&](const BranchCount &other) {
      return other.location == branch.location;
    });
    if (known == counts.branches.end()) {
      counts.branches.push_back(branch);
      continue;
    }
    known->executions += branch.executions;
    known->divergent += branch.divergent;
  }
}

/// Each fault once.
static void addFaults(std::vector<ExecutionFault> &faults,
                      llvm::ArrayRef<ExecutionFault> more) {
  for (const ExecutionFault &fault : more)
    if (llvm::none_of(faults, [&](const ExecutionFault &other) {
          return other.kind == fault.kind && other.location == fault.location;
        }))
      faults.push_back(fault);
}

static void addTraffic(std::optional<DRAMTraffic> &sum,
                       const DRAMTraffic &more) {
  DRAMTraffic old = sum.value_or(DRAMTraffic());
  sum = {old.readBytes + more.readBytes, old.writtenBytes + more.writtenBytes,
         old.compulsoryBytes + more.compulsoryBytes};
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// Judges the requests of one process, launch by launch.
class ProgramProfile::Observer : public LaunchObserver {
public:
  Observer(ProgramProfile &profile, unsigned process)
      : profile(profile), process(process) {}

  Error begin(const ProfiledLaunch &started) override {
    std::lock_guard<std::mutex> lock(profile.mutex);
    auto found = lookUpTarget(profile.context, started.target);
    if (!found)
      return found.takeError();
    target = *found;
    launch = started;
    return profile.traceFolder.empty() ? Error::success() : startTrace();
  }

  RequestSink *addSink(llvm::ArrayRef<AccessSite> sites) override {
    sinks.push_back(std::make_unique<ProfileSink>(
        target, sites, rowLength(launch.config.block, {0, 1, 2}),
        /*keepAddresses=*/true));
    if (!trace)
      return sinks.back().get();
    trace->begin(sites,
                 llvm::json::Object{{"kernel", llvm::demangle(launch.kernel)},
                                    {"target", target.getTargetName()},
                                    {"subgroup_size", target.getSubgroupSize()},
                                    {"launch", launch.number},
                                    {"version", versionName()}});
    traces.push_back(std::make_unique<TraceSink>(*trace, *sinks.back()));
    return traces.back().get();
  }

  Error end(const ExecutionResult &result) override {
    traces.clear();
    if (trace)
      if (Error error = std::exchange(trace, nullptr)->keep())
        return error;
    addLaunch(result);
    return Error::success();
  }

private:
  llvm::StringRef versionName() const {
    return launch.isTuned ? "optimized" : "as_written";
  }

  /// `launch-7.as_written.trace`; processes behind the first one are named.
  Error startTrace() {
    std::string name = process
                           ? llvm::formatv("process-{0}.", process + 1).str()
                           : std::string();
    auto created = TraceFile::create(
        llvm::formatv("{0}/{1}launch-{2}.{3}.trace", profile.traceFolder, name,
                      launch.number, versionName())
            .str());
    if (created)
      trace = std::move(*created);
    return created.takeError();
  }

  void addLaunch(const ExecutionResult &result) {
    std::vector<AccessMeasurement> accesses =
        collectAccesses(sinks, target, /*isExact=*/true);
    std::lock_guard<std::mutex> lock(profile.mutex);
    ProgramKernel &kernel = profile.kernels[launch.kernel];
    if (kernel.symbol.empty()) {
      kernel.symbol = launch.kernel;
      kernel.target = target;
      for (KernelMeasurement *version : {&kernel.asWritten, &kernel.optimized})
        version->kernel.displayName = llvm::demangle(launch.kernel);
      kernel.optimized.isTuned = true;
    }
    kernel.launches += !launch.isTuned;
    KernelMeasurement &sum =
        launch.isTuned ? kernel.optimized : kernel.asWritten;
    if (!sum.counts.blocks)
      sum.launch = launch.config;
    addAccesses(sum.accesses, std::move(accesses));
    addCounts(sum.counts, result.profile);
    addFaults(sum.faults, result.faults);
    addTraffic(sum.dram, result.dram);
    for (const std::unique_ptr<ProfileSink> &sink : sinks)
      sum.workgroupUse.add(sink->workgroupUse());
    sinks.clear();
  }

  ProgramProfile &profile;
  const unsigned process;
  TargetAttr target;
  ProfiledLaunch launch;
  std::vector<std::unique_ptr<ProfileSink>> sinks;
  /// Of the launch, where traces are wanted: the sinks in front of the others.
  std::unique_ptr<TraceFile> trace;
  std::vector<std::unique_ptr<TraceSink>> traces;
};

Error ProgramProfile::read(ReadBytes read) {
  Observer observer(*this, processes++);
  return readRequestStream(read, observer);
}

std::vector<const ProgramKernel *> ProgramProfile::judge() {
  std::vector<const ProgramKernel *> sorted;
  for (auto &[symbol, kernel] : kernels) {
    for (KernelMeasurement *version : {&kernel.asWritten, &kernel.optimized}) {
      version->roofline = findRoofline(*version, kernel.target);
      judgeProfile(*version, kernel.target);
    }
    sorted.push_back(&kernel);
  }
  llvm::sort(sorted, [](const auto *a, const auto *b) {
    auto keyOf = [](const ProgramKernel &kernel) {
      return std::pair(-kernel.asWritten.globalCost().sectors, kernel.symbol);
    };
    return keyOf(*a) < keyOf(*b);
  });
  return sorted;
}

llvm::json::Array
gpuopt::makeReport(llvm::ArrayRef<const ProgramKernel *> kernels) {
  llvm::json::Array report;
  for (const ProgramKernel *kernel : kernels)
    for (const KernelMeasurement *version :
         {&kernel->asWritten, &kernel->optimized}) {
      llvm::json::Object object = makeReport(*version, kernel->target);
      object["launches"] = kernel->launches;
      report.push_back(std::move(object));
    }
  return report;
}
