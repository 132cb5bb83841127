//===- Probe.h - what a kernel does with a launch ---------------*- C++ -*-===//
//
// Runs a kernel as it is written in the CPU executor, with all checks that the
// executor has, and notes how far it reaches into its arrays, which of its
// accesses it executes, and which blocks do anything.
//
//===----------------------------------------------------------------------===//

#ifndef TOOLS_LIB_LAUNCH_PROBE_H
#define TOOLS_LIB_LAUNCH_PROBE_H

#include "tools/lib/launch/HostVariables.h"
#include "tools/lib/launch/Problem.h"

namespace gpuopt {

/// What one run showed.
struct ProbeResult {
  LaunchConfig launch;
  std::vector<ExecutionFault> faults;
  /// By array: the bytes from its start to the end of what the kernel touched.
  std::map<std::string, uint64_t> reachedBytes;
  /// Accesses of the kernel's code, those that some thread executed, and the
  /// executions of all threads.
  unsigned sites = 0;
  unsigned executedSites = 0;
  uint64_t accesses = 0;
  /// Of all arrays.
  uint64_t bytes = 0;
  /// They are too large to look for races.
  bool skippedRaces = false;
  /// Whether anything was written to an array or a variable.
  bool hasStored = false;
  /// The grid without the blocks at its end, along each dimension, that touch
  /// no array.
  Dim3 activeGrid = {1, 1, 1};

  bool has(ExecutionFault::Kind kind) const {
    return llvm::any_of(faults, [&](const ExecutionFault &fault) {
      return fault.kind == kind;
    });
  }
};

/// Runs one kernel as often as wanted; it is compiled for the host once.
class Probe {
public:
  /// All must outlive the probe. A run takes no longer than `maxSeconds`.
  static llvm::Expected<Probe> create(const Compilation &compilation,
                                      const KernelInfo &kernel,
                                      double maxSeconds);

  /// The error is for what keeps `run` from being a launch at all.
  llvm::Expected<ProbeResult> run(const RunOptions &run);

  /// Changes how long the runs that follow may take.
  void limitSeconds(double seconds) { executor->limitSeconds(seconds); }

  llvm::ArrayRef<SubscriptUse> subscripts() const { return subscriptUses; }

private:
  Probe(const Compilation &compilation, const KernelInfo &kernel)
      : compilation(&compilation), kernel(&kernel) {}

  const Compilation *compilation;
  const KernelInfo *kernel;
  std::unique_ptr<CPUExecutor> executor;
  std::vector<HostVariable> variables;
  std::vector<SubscriptUse> subscriptUses;
};

} // namespace gpuopt

#endif // TOOLS_LIB_LAUNCH_PROBE_H
