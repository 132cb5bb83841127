//===- LaunchTrial.h - one candidate for a launch ---------------*- C++ -*-===//
//
// Tries numbers and a block for a kernel: finds the grid and the arrays that
// belong to them, and says how well the kernel runs. See ChooseSizes.h.
//
//===----------------------------------------------------------------------===//

#ifndef TOOLS_LIB_LAUNCH_LAUNCHTRIAL_H
#define TOOLS_LIB_LAUNCH_LAUNCHTRIAL_H

#include "tools/lib/launch/MissingOptions.h"
#include "tools/lib/launch/Probe.h"
#include "tools/lib/launch/SizeUses.h"

namespace gpuopt {

/// How a kernel runs, from worst to best.
enum class TrialVerdict {
  /// It cannot be launched like that.
  Impossible,
  /// It does not end in the time that a trial has.
  Endless,
  /// It leaves an array, divides by zero, or its barriers diverge.
  Wrong,
  /// It writes nothing although its code writes.
  Idle,
  /// It races, or reads workgroup memory that nobody has written.
  Racing,
  Clean
};

struct Trial {
  TrialVerdict verdict = TrialVerdict::Impossible;
  /// What is wrong with it; empty where nothing is.
  std::string problem;
  /// The launch with all that was found for it.
  RunOptions run;
  LaunchConfig launch;
  /// It has fewer blocks than the kernel has work for, which would take long.
  bool isCut = false;
  unsigned sites = 0, executedSites = 0;
  uint64_t accesses = 0;
  /// Of all arrays.
  uint64_t bytes = 0;

  /// Whether there is something to check with it.
  bool isUsable() const { return verdict >= TrialVerdict::Racing; }
  bool isFull() const { return executedSites == sites; }
  bool isBetterThan(const Trial &other) const {
    return std::tuple(verdict, !isCut, executedSites) >
           std::tuple(other.verdict, !other.isCut, other.executedSites);
  }
};

/// How long the kernel may run in a trial, as a rule.
inline constexpr double kSecondsPerTrial = 4;

/// Tries one kernel again and again.
class LaunchTrials {
public:
  /// `given` has what may not be changed. All must outlive the trials.
  LaunchTrials(const Compilation &compilation, const KernelInfo &kernel,
               const RunOptions &given, const SizeUses &uses, Probe &probe);

  /// `candidate` is `given` with numbers for all integer parameters and with a
  /// block. Where nothing tells the number of blocks it is one if `isOneBlock`,
  /// else enough for the numbers.
  Trial attempt(RunOptions candidate, bool isOneBlock);

private:
  /// By array.
  using ElementCounts = std::map<std::string, int64_t>;

  Trial fit(RunOptions candidate, bool isOneBlock);
  Trial fitFewBlocks(RunOptions candidate, Trial endless);
  /// Sets the grid where nothing tells; the dimensions along which it is only
  /// large enough.
  std::array<bool, 3> setGrid(RunOptions &run, bool isOneBlock) const;
  bool tellsDomain(const RunOptions &run) const;
  int64_t elementsReached(const ProbeResult &probed, unsigned parameter) const;
  ElementCounts selectedElements(const RunOptions &run) const;
  ElementCounts guessElements(const ElementCounts &selected,
                              int64_t guess) const;
  int64_t largestNumber(const RunOptions &run) const;
  int64_t productOfBounds(const RunOptions &run) const;

  const Compilation &compilation;
  const KernelInfo &kernel;
  const RunOptions &given;
  const SizeUses &uses;
  Probe &probe;
  /// Parameters whose number of elements nobody says.
  std::vector<unsigned> openArrays;
  /// How often more elements than at first have not kept the kernel in its
  /// arrays: it leaves them for another reason.
  unsigned vainElements = 0;
};

} // namespace gpuopt

#endif // TOOLS_LIB_LAUNCH_LAUNCHTRIAL_H
