//===- HostRunner.h - run tuned kernels on a program's arrays ---*- C++ -*-===//
//
// What a program that embeds the compiler calls kernels by: arrays in its own
// memory go in, and the tuned kernel, or what does the same for a launch that
// it does not cover, runs in the CPU executor. Nothing is copied.
//
//===----------------------------------------------------------------------===//

#ifndef TOOLS_LIB_LAUNCH_HOSTRUNNER_H
#define TOOLS_LIB_LAUNCH_HOSTRUNNER_H

#include "runtime/CPUExecutor.h"
#include "tools/lib/compile/Compiler.h"

#include <atomic>
#include <functional>
#include <unordered_map>

namespace gpuopt {

/// A launch of a kernel as it is written. What is left open follows from its
/// pragma or its guards.
struct WantedLaunch {
  std::optional<Dim3> grid;
  std::optional<Dim3> block;
  int64_t dynamicSharedBytes = 0;
};

/// Runs the kernels of one compilation, which one thread at a time may use.
class HostRunner {
public:
  /// `poll` is called a few times a second while a kernel runs, by the thread
  /// that launches. `compilation` must outlive the runner.
  explicit HostRunner(const Compilation &compilation,
                      std::function<void()> poll = nullptr);
  HostRunner(const HostRunner &) = delete;

  /// Runs `kernel` with `arguments`, in the order of its parameters, and waits
  /// for it. The error is for what cannot run at all; what goes wrong in the
  /// kernel is in the result's faults, behind which later launches of a
  /// sequence do not run.
  llvm::Expected<ExecutionResult>
  launch(const KernelInfo &kernel, const WantedLaunch &wanted,
         llvm::ArrayRef<KernelArgument> arguments);

  /// Ends the kernel that runs, with a fault. Any thread may call it, and a
  /// handler of signals.
  void interrupt() { stop = true; }

  /// What `launch` would run. The decision is kept: the next one for the same
  /// arguments takes no time.
  llvm::Expected<std::vector<KernelLaunch>>
  decide(const KernelInfo &kernel, const WantedLaunch &wanted,
         llvm::ArrayRef<KernelArgument> arguments);

  /// The same for the integers among the arguments, and arrays that are aligned
  /// and lie apart.
  llvm::Expected<std::vector<KernelLaunch>>
  decide(const KernelInfo &kernel, const WantedLaunch &wanted,
         const SizeMap &scalars) const;

  /// Seconds that kernels have run, in all launches together.
  double secondsOfKernels() const { return kernelSeconds; }

  /// The storage of the variable that the source calls `name`.
  llvm::Expected<llvm::MutableArrayRef<uint8_t>> variable(llvm::StringRef name);

private:
  using Decision = std::vector<KernelLaunch>;

  llvm::Expected<const Decision *>
  find(const KernelInfo &kernel, const WantedLaunch &wanted,
       llvm::ArrayRef<KernelArgument> arguments);
  llvm::Expected<Decision> computeDecision(const KernelInfo &kernel,
                                           const WantedLaunch &wanted,
                                           const SizeMap &scalars,
                                           const AddressMap &addresses) const;
  llvm::Expected<CPUExecutor *> executor();

  const Compilation &compilation;
  std::function<void()> poll;
  /// Made at the first launch.
  std::unique_ptr<CPUExecutor> made;
  double kernelSeconds = 0;
  std::atomic<bool> stop = false;
  /// By all that a decision depends on.
  std::unordered_map<std::string, Decision> decisions;
};

} // namespace gpuopt

#endif // TOOLS_LIB_LAUNCH_HOSTRUNNER_H
