//===- Check.h - is the tuned kernel equal to the original? -----*- C++ -*-===//
//
// Runs the untouched import and the tuned kernel in the CPU executor on the
// same inputs and compares every output.
//
//===----------------------------------------------------------------------===//

#ifndef TOOLS_LIB_CHECK_H
#define TOOLS_LIB_CHECK_H

#include "runtime/Executor.h"
#include "tools/lib/Compiler.h"
#include "tools/lib/Problem.h"

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
  LaunchConfig tunedLaunch;
  /// True where the geometry could not cover the launch, so that the fallback
  /// kernel ran.
  bool usedFallback = false;
  std::vector<ArrayComparison> arrays;
  std::vector<ExecutionFault> originalFaults;
  std::vector<ExecutionFault> tunedFaults;
  /// Memory transactions to global memory in each run.
  uint64_t originalSectors = 0;
  uint64_t tunedSectors = 0;
  /// Places with a data race in both kernels; not in `tunedFaults`.
  unsigned originalRaces = 0;
  /// True where races were asked for, but the data is too large to look.
  bool skippedRaces = false;

  /// True where nothing went wrong and every output agrees.
  bool passed() const;
};

struct CheckOptions {
  RunOptions run;
  /// Look for data races in the tuned kernel.
  bool detectRaces = true;
  /// Write the arrays after the tuned run as DIR/NAME.npy; empty for none.
  std::string outputDir;
};

/// Checks one kernel of `compilation`. The error is for what keeps it from
/// running at all.
llvm::Expected<KernelCheck> checkKernel(const Compilation &compilation,
                                        const KernelInfo &kernel,
                                        const CheckOptions &options);

/// Compares `tuned` with `original`, element for element.
ArrayComparison compareArrays(const ProblemArray &original,
                              const ProblemArray &tuned, bool reassociated);

/// Prints the outcome for a person.
void printCheck(const KernelCheck &check, llvm::raw_ostream &os);

} // namespace gpuopt

#endif // TOOLS_LIB_CHECK_H
