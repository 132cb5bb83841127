//===- Check.h - is the tuned kernel equal to the original? -----*- C++ -*-===//
//
// Runs the untouched import and the tuned kernel in the CPU executor on the
// same inputs and compares every output: bit for bit, unless the sums of the
// tuned kernel may be in another order, and then each element by itself.
// Variables of the module are outputs where the original kernel writes them.
// Where it does not store, the tuned kernel has to leave memory as it is. The
// PTX that is written may be compared behind that (`CheckText`).
//
//===----------------------------------------------------------------------===//

#ifndef TOOLS_LIB_CHECK_CHECK_H
#define TOOLS_LIB_CHECK_CHECK_H

#include "tools/lib/check/CheckExecutors.h"
#include "tools/lib/check/CompareArrays.h"
#include "tools/lib/check/SecondLaunch.h"
#include "tools/lib/compile/Compiler.h"
#include "tools/lib/launch/Problem.h"
#include "tools/lib/launch/Progress.h"

namespace gpuopt {

/// Which inputs a check runs with.
enum class CheckInputs {
  Ordinary,
  Extreme,
  Both,
  /// Extreme ones as well where the original kernel moves little data
  /// (`kCheapSectors`, `kCheapBytes`).
  BothIfCheap
};

/// Whether the text, too, is compared that is written for the tuned kernel.
enum class CheckText {
  Never,
  /// As `CheckInputs::BothIfCheap` has it.
  IfCheap,
  Always,
  /// In the place of the tuned kernel.
  Only
};

/// What the original kernel may move, and its arrays may take, for further runs
/// to be cheap: with extreme inputs, or of the text.
inline constexpr uint64_t kCheapSectors = 65536;
inline constexpr uint64_t kCheapBytes = 16 << 20;

/// What a check says of a kernel. Only the first proves anything; where several
/// runs differ, the last counts.
enum class CheckVerdict {
  /// A tuned kernel ran, nothing went wrong and every output agrees.
  Passed,
  /// The source goes wrong itself, or races and what differs depends on that:
  /// nobody can say which results are right.
  Undefined,
  /// The original kernel did not run to its end, or Ctrl-C ended either.
  Unfinished,
  Failed
};

/// "passed", "undefined", …
llvm::StringRef verdictName(CheckVerdict verdict);

/// Adds to `open` the bytes of which `left` and `right` differ.
void addDifferences(llvm::ArrayRef<uint8_t> left, llvm::ArrayRef<uint8_t> right,
                    ByteFlags &open);

/// One kernel checked at one size.
struct KernelCheck {
  KernelInfo kernel;
  /// What the kernel is called, for a person, that is compared with the
  /// original.
  std::string comparedName = "tuned";
  bool isOfSecondFile = false;
  LaunchConfig originalLaunch;
  /// One, or several where grid-wide synchronisation has split the kernel.
  std::vector<KernelLaunch> tunedLaunches;
  std::vector<ArrayComparison> arrays;
  /// Why floating-point results may be rounded in another way than the
  /// original's; where there is no reason they are compared bit for bit.
  std::vector<std::string> roundingReasons;
  /// Something was decided by numbers whose rounding may be another: nothing
  /// has a bound. Known where results differ.
  bool boundsAreLost = false;
  /// Integer arrays that are made up: where the original kernel leaves an
  /// array, they may be to blame.
  std::vector<std::string> madeUpIntegers;
  std::vector<ExecutionFault> originalFaults;
  std::vector<ExecutionFault> tunedFaults;
  /// Memory transactions to global memory in each run.
  uint64_t originalSectors = 0;
  uint64_t tunedSectors = 0;
  /// Bytes of all arrays.
  uint64_t originalBytes = 0;
  /// Traffic to DRAM in each run, by the model of the target's L2 cache.
  DRAMTraffic originalDRAM;
  DRAMTraffic tunedDRAM;
  /// The check with extreme inputs; empty where none was made.
  std::vector<KernelCheck> withExtremes;
  /// Why none was made although none of the options forbids it; empty else.
  std::string extremesSkipped;
  /// The check of the PTX that is written for the tuned kernel, read again;
  /// empty where none was made.
  std::vector<KernelCheck> asText;
  /// Why none was made although the options ask for one; empty else.
  std::string textSkipped;
  /// True where that is because nobody can tell whether what differs may.
  bool textHasNoBound = false;
  /// Of a check of text: the back end was not let fuse products and sums.
  bool isWithoutFusing = false;
  /// What `CheckOptions` says of launches that nothing tuned ran for.
  bool allowsFallback = false;
  /// Where the original kernel uses what nothing has set, as a register of PTX:
  /// it is run again to find that where results differ.
  std::vector<ExecutionFault> unsetUses;
  /// Every output agrees where it does not depend on what nothing has set.
  bool unsetUsesExplainOutputs = false;
  /// Data races of the original kernel, which is run again to find them where
  /// the tuned one races, or where results differ.
  std::vector<ExecutionFault> sourceRaces;
  /// Every output agrees where it does not depend on these races.
  bool racesExplainOutputs = false;
  /// Pairs of accesses that race in both kernels; not in `tunedFaults`.
  unsigned originalRaces = 0;
  /// Places at which a kernel of another file races without effect: what is
  /// written there is there already, or is not read; not in `tunedFaults`.
  unsigned idleRaces = 0;
  /// Places that read workgroup memory which nobody has written, without effect
  /// on any output; not in `tunedFaults`.
  unsigned idleReads = 0;
  /// True where a launch makes more accesses than can be counted.
  bool skippedCounts = false;
  /// True where races were asked for, but the data is too large to look.
  bool skippedRaces = false;

  /// True where a geometry could not cover a launch, so that a fallback kernel
  /// ran.
  bool usedFallback() const {
    return llvm::any_of(tunedLaunches, [](const KernelLaunch &launch) {
      return launch.isFallback;
    });
  }
  /// Whether it did so for a launch that has anything to do.
  bool lacksTunedLaunch() const {
    return llvm::any_of(tunedLaunches, [](const KernelLaunch &launch) {
      return launch.isFallback && !launch.hasNothingToDo;
    });
  }
  /// Why further runs are not cheap; nothing where they are.
  std::optional<std::string> expense() const;
  bool hasEqualOutputs() const {
    return llvm::all_of(arrays, std::mem_fn(&ArrayComparison::passed));
  }
  /// Extreme inputs and text aside.
  CheckVerdict ownVerdict() const;
  CheckVerdict verdict() const;
  bool passed() const { return verdict() == CheckVerdict::Passed; }
  /// By Ctrl-C.
  bool wasInterrupted() const;
  /// Whether the inputs, and not the kernel, may be what is wrong.
  bool mayBlameInputs() const {
    return !madeUpIntegers.empty() && leavesArrays(originalFaults);
  }
};

struct CheckOptions {
  /// One launch for each; every kernel is compiled once for all.
  std::vector<RunOptions> runs;
  /// Look for data races, and for reads of workgroup memory that nobody has
  /// written, in the tuned kernel.
  bool detectRaces = true;
  CheckInputs inputs = CheckInputs::BothIfCheap;
  /// For targets of which the text can be read: NVIDIA's.
  CheckText text = CheckText::Never;
  /// A file that is read in the place of what is written; empty for none.
  std::string textFile;
  /// Let launches pass that the tuned kernel cannot cover, so that the original
  /// kernel runs in its place.
  bool allowFallback = false;
  /// A launch that takes longer fails.
  double maxSeconds = CPUExecutorOptions().maxSeconds;
  /// So does one in which a work item takes more steps through loops; work
  /// items of the tuned kernel may take more where they do the work of several.
  uint64_t maxSteps = CPUExecutorOptions().maxSteps;
  /// Count transactions and model the traffic to DRAM.
  bool countTraffic = true;
  /// Host threads; 0 for one per core.
  unsigned workers = 0;
  /// Write the arrays after the tuned run as DIR/NAME.npy; empty for none.
  std::string outputDir;
  /// Where to show how far a long run is; null for nowhere.
  ProgressLine *progress = nullptr;
  /// `CPUExecutorOptions::stop`.
  const std::atomic<bool> *stop = nullptr;
};

/// A kernel that runs in the place of the tuned one.
struct ComparedKernel {
  std::string symbol;
  /// What it is called, for a person.
  std::string name = "tuned";
  bool isOfSecondFile = false;
  /// Empty for the original kernel's.
  std::vector<LaunchArgument> arguments = {};
  SecondLaunch launch = {};
  std::optional<Dim3> requiredBlock = {};
};

/// Checks one kernel of a compilation, at as many sizes as wanted: both kernels
/// are compiled for the host at the first. Variables of the module keep their
/// contents from one check to the next.
class KernelChecker {
public:
  /// `compilation` and `kernel` must outlive the checker. Checkers of several
  /// kernels of a compilation may share `executors`.
  KernelChecker(const Compilation &compilation, const KernelInfo &kernel,
                const CheckOptions &options,
                std::shared_ptr<CheckExecutors> executors = nullptr)
      : compilation(compilation), kernel(kernel), options(options),
        executors(executors ? std::move(executors) : makeExecutors()) {}

  /// From now on, `other` of what the executors run in the place of the tuned
  /// kernels takes the original launch, but for what it says of its own.
  void compareWith(ComparedKernel other) { counterpart = std::move(other); }

  /// Runs both kernels with the inputs that the options ask for and compares
  /// what they write. The error is for what keeps them from running at all.
  llvm::Expected<KernelCheck> check(const RunOptions &run);
  /// The same with `launches` in the place of the tuned kernel's: of kernels of
  /// the source that the executors are made for.
  llvm::Expected<KernelCheck> check(const RunOptions &run,
                                    std::vector<KernelLaunch> launches);

private:
  /// Contents of all variables of a module, by name.
  using Variables = std::map<std::string, std::vector<uint8_t>>;
  /// Bounds of the arrays, and of the variables.
  struct Bounds {
    std::vector<ErrorBounds> arrays;
    std::map<std::string, ErrorBounds> variables;
  };
  /// For each array the bytes that the original kernel stores to; see
  /// `ExecutionResult::stored`.
  using Stores = std::vector<std::vector<uint8_t>>;
  /// What is known of the original kernel besides its results. Each takes
  /// another run.
  struct Details {
    std::optional<Bounds> bounds;
    Stores stores;
  };
  /// Why results may be rounded in another way, and where in the kernel.
  struct Rounding {
    std::vector<std::string> reasons;
    LooseOperations loose = LooseOperations::AtomicSums;
  };
  /// A problem before any kernel, behind the original and behind `which`.
  struct Runs {
    CheckExecutors::Kernels which;
    const Problem &before;
    const Problem &original;
    const Problem &tuned;
  };

  /// Of which bytes races of the original kernel, or what it has not set, leave
  /// open what they are.
  struct OpenBytes {
    std::vector<ByteFlags> arrays;
    std::map<std::string, ByteFlags> variables;
  };

  /// What came of the text: the last form that ran, and why that says nothing,
  /// where it does not.
  struct TextOutcome {
    std::optional<KernelCheck> check;
    /// What it has left behind.
    std::optional<Problem> after;
    std::string problem;
    bool hasNoBound = false;
    bool isMissing = false;
  };

  std::shared_ptr<CheckExecutors> makeExecutors() const;
  /// The launches that do what the original's does.
  llvm::Expected<std::vector<KernelLaunch>>
  findLaunches(const RunOptions &run, const Problem &problem) const;
  llvm::Expected<KernelCheck> checkOnce(const RunOptions &run);
  llvm::Expected<KernelCheck> checkWith(const RunOptions &run);
  llvm::Expected<KernelCheck> checkExtremes(const RunOptions &run,
                                            double maxSeconds);
  /// Why no check with extreme inputs follows `first`, or nothing where one
  /// does.
  std::optional<std::string> skipsExtremes(const RunOptions &run,
                                           const KernelCheck &first) const;
  llvm::Error runOriginal(const RunOptions &run, KernelCheck &check,
                          Problem &problem);
  /// Runs the original's launch again, by an executor that looks for more, from
  /// the variables that it began with.
  llvm::Expected<ExecutionResult>
  runOriginalAgain(CheckExecutors::Kernels which, Problem &problem,
                   const KernelCheck &check);
  llvm::Expected<Bounds> boundErrors(Problem problem, LooseOperations loose,
                                     KernelCheck &check);
  llvm::Expected<Stores> findStores(Problem problem, KernelCheck &check);
  void compareArraysOf(const Runs &runs, const Details &details,
                       KernelCheck &check);
  void compareVariables(const Runs &runs, const Details &details,
                        KernelCheck &check);
  llvm::Error compareOutputs(const Runs &runs, KernelCheck &check);
  llvm::Expected<ExecutionResult> execute(CheckExecutors::Kernels which,
                                          const KernelLaunch &launch,
                                          Problem &problem);
  llvm::Error runTuned(CheckExecutors::Kernels which, KernelCheck &check,
                       Problem &problem);
  llvm::Expected<Problem> runAndCompare(CheckExecutors::Kernels which,
                                        const Problem &before,
                                        const Problem &original,
                                        KernelCheck &check);
  std::optional<std::string> skipsText(const KernelCheck &check) const;
  llvm::Error makeText(CheckExecutors::Kernels form);
  llvm::Error checkAs(CheckExecutors::Kernels form, const Problem &before,
                      const Problem &original, const KernelCheck &check,
                      TextOutcome &outcome);
  llvm::Expected<TextOutcome> runText(const Problem &before,
                                      const Problem &original,
                                      bool isOfExtremes,
                                      const KernelCheck &check);
  llvm::Error checkText(const Problem &before, const Problem &original,
                        bool isOfExtremes, KernelCheck &check);
  llvm::Expected<Problem> checkTextAlone(const Problem &before,
                                         const Problem &original,
                                         bool isOfExtremes, KernelCheck &check);
  llvm::Error findSourceRaces(Problem problem, KernelCheck &check);
  llvm::Error findUnsetUses(Problem problem, KernelCheck &check);
  llvm::Error findBytesOfUnset(const Runs &runs, const KernelCheck &check,
                               OpenBytes &open);
  llvm::Error explainByUnsetUses(const Runs &runs, KernelCheck &check);
  llvm::Expected<bool> compareBesides(OpenBytes &open, const Runs &runs,
                                      KernelCheck &check);
  llvm::Error runWithRaceEffects(Problem &problem, const KernelCheck &check);
  llvm::Error findOpenBytes(const Runs &runs, const KernelCheck &check,
                            OpenBytes &open);
  llvm::Error explainByRaces(const Runs &runs, KernelCheck &check);
  llvm::Error dropOriginalRaces(Problem problem, KernelCheck &check);
  llvm::Error dropIdleRaces(Problem problem, const Variables &before,
                            KernelCheck &check);
  llvm::Error dropIdleReads(CheckExecutors::Kernels which, Problem problem,
                            const Problem &tuned, const Variables &before,
                            KernelCheck &check);
  Rounding findRounding(CheckExecutors::Kernels which) const;
  static Variables saveVariables(CPUExecutor &executor);
  static void restoreVariables(CPUExecutor &executor, const Variables &saved);

  const Compilation &compilation;
  const KernelInfo &kernel;
  const CheckOptions &options;
  std::shared_ptr<CheckExecutors> executors;
  /// Why text cannot be run, as far as that has been tried.
  std::map<CheckExecutors::Kernels, std::string> textFailures;
  /// See `compareWith`; without a symbol where it was not called.
  ComparedKernel counterpart;
  /// The launches that a caller has given.
  std::optional<std::vector<KernelLaunch>> givenLaunches;
  /// The original kernel's variables before it ran.
  Variables originalVariables;
  /// Found when they are first needed.
  std::optional<std::vector<SubscriptUse>> subscripts;
};

/// Prints the outcome for a person.
void printCheck(const KernelCheck &check, llvm::raw_ostream &os);

} // namespace gpuopt

#endif // TOOLS_LIB_CHECK_CHECK_H
