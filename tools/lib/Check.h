//===- Check.h - is the tuned kernel equal to the original? -----*- C++ -*-===//
//
// Runs the untouched import and the tuned kernel in the CPU executor on the
// same inputs and compares every output.
//
//===----------------------------------------------------------------------===//

#ifndef TOOLS_LIB_CHECK_H
#define TOOLS_LIB_CHECK_H

#include "runtime/CPUExecutor.h"
#include "tools/lib/Compiler.h"
#include "tools/lib/Problem.h"
#include "tools/lib/Progress.h"

namespace gpuopt {

/// How one output array of the tuned kernel compares with the original's.
struct ArrayComparison {
  std::string name;
  int64_t elements = 0;
  /// Scalars that differ by more than the tolerance.
  int64_t mismatches = 0;
  /// Largest |difference| / max(|original|, root mean square of the array).
  double largestError = 0;
  double tolerance = 0;
  /// Element with the largest error, and what both kernels put there.
  int64_t worstElement = 0;
  double original = 0;
  double tuned = 0;
};

/// One kernel checked at one size.
struct KernelCheck {
  KernelInfo kernel;
  LaunchConfig originalLaunch;
  /// One, or several where grid-wide synchronisation has split the kernel.
  std::vector<KernelLaunch> tunedLaunches;
  std::vector<ArrayComparison> arrays;
  std::vector<ExecutionFault> originalFaults;
  std::vector<ExecutionFault> tunedFaults;
  /// Memory transactions to global memory in each run.
  uint64_t originalSectors = 0;
  uint64_t tunedSectors = 0;
  /// Traffic to DRAM in each run, by the model of the target's L2 cache.
  DRAMTraffic originalDRAM;
  DRAMTraffic tunedDRAM;
  /// Places with a data race in both kernels; not in `tunedFaults`.
  unsigned originalRaces = 0;
  /// Places that read workgroup memory which nobody has written, without effect
  /// on any output; not in `tunedFaults`.
  unsigned idleReads = 0;
  /// True where races were asked for, but the data is too large to look.
  bool skippedRaces = false;

  /// True where a geometry could not cover a launch, so that a fallback kernel
  /// ran.
  bool usedFallback() const {
    return llvm::any_of(tunedLaunches, [](const KernelLaunch &launch) {
      return launch.isFallback;
    });
  }
  /// True where nothing went wrong and every output agrees.
  bool passed() const;
};

struct CheckOptions {
  /// One launch for each; every kernel is compiled once for all.
  std::vector<RunOptions> runs;
  /// Look for data races, and for reads of workgroup memory that nobody has
  /// written, in the tuned kernel.
  bool detectRaces = true;
  /// Write the arrays after the tuned run as DIR/NAME.npy; empty for none.
  std::string outputDir;
  /// Where to show how far a long run is; null for nowhere.
  ProgressLine *progress = nullptr;
};

/// Checks one kernel of a compilation, at as many sizes as wanted: both kernels
/// are compiled for the host at the first. Variables of the module keep their
/// contents from one check to the next.
class KernelChecker {
public:
  /// `compilation` and `kernel` must outlive the checker.
  KernelChecker(const Compilation &compilation, const KernelInfo &kernel,
                const CheckOptions &options)
      : compilation(compilation), kernel(kernel), options(options) {}

  /// Runs both kernels and compares what they write. The error is for what
  /// keeps them from running at all.
  llvm::Expected<KernelCheck> check(const RunOptions &run);

private:
  /// Contents of all variables of a module.
  using Variables = std::vector<std::vector<uint8_t>>;

  /// The executors, made when first needed.
  enum Kernels { Original, OriginalWithRaces, Tuned };
  llvm::Expected<CPUExecutor *> executor(Kernels which);
  llvm::Expected<ExecutionResult>
  execute(Kernels which, const KernelLaunch &launch, Problem &problem);
  llvm::Error runTuned(KernelCheck &check, Problem &problem);
  llvm::Error dropOriginalRaces(Problem problem, KernelCheck &check);
  llvm::Error dropIdleReads(Problem problem, const Problem &tuned,
                            const Variables &before, KernelCheck &check);
  bool mayReassociate() const;

  const Compilation &compilation;
  const KernelInfo &kernel;
  const CheckOptions &options;
  std::array<std::unique_ptr<CPUExecutor>, 3> executors;
};

/// Compares `tuned` with `original`, element for element.
ArrayComparison compareArrays(const ProblemArray &original,
                              const ProblemArray &tuned, bool reassociated);

/// Prints the outcome for a person.
void printCheck(const KernelCheck &check, llvm::raw_ostream &os);

} // namespace gpuopt

#endif // TOOLS_LIB_CHECK_H
