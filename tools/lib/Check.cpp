//===- Check.cpp - is the tuned kernel equal to the original? -------------===//

#include "tools/lib/Check.h"

#include "tools/lib/Npy.h"
#include "tools/lib/Scalars.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/WithColor.h"

using namespace gpuopt;
using llvm::Error;
using llvm::Expected;

bool KernelCheck::passed() const {
  return originalFaults.empty() && tunedFaults.empty() &&
         llvm::all_of(arrays, [](const ArrayComparison &array) {
           return array.mismatches == 0;
         });
}

Expected<CPUExecutor *> KernelChecker::executor(Kernels which) {
  std::unique_ptr<CPUExecutor> &made = executors[which];
  if (made)
    return made.get();
  TargetAttr target = compilation.target();
  CPUExecutorOptions settings;
  settings.subgroupSize = target.getSubgroupSize();
  settings.countSectorBytes = target.getSectorBytes();
  settings.coalescedThreads = target.getCoalescedThreads();
  settings.cacheBytes = target.getL2Bytes();
  settings.cacheLineBytes = target.getLineBytes();
  if (ProgressLine *line = options.progress)
    settings.progress = [line](int64_t started, int64_t blocks) {
      line->update(started, blocks);
    };
  settings.checkRaces =
      which == OriginalWithRaces || (which == Tuned && options.detectRaces);
  settings.checkUninitialised = which == Tuned && options.detectRaces;
  llvm::LLVMContext context;
  auto module = which == Tuned ? compilation.lowered(context)
                               : compilation.untouched(context);
  if (!module)
    return module.takeError();
  auto created = CPUExecutor::create(**module, settings);
  if (!created)
    return created.takeError();
  made = std::move(*created);
  return made.get();
}

/// The arguments of `launch`; they point into both.
static std::vector<KernelArgument> argumentsOf(const KernelLaunch &launch,
                                               Problem &problem) {
  std::vector<KernelArgument> original = problem.arguments();
  if (launch.arguments.empty())
    return original;
  std::vector<KernelArgument> arguments;
  for (const LaunchArgument &argument : launch.arguments) {
    if (argument.parameter)
      arguments.push_back(original[*argument.parameter]);
    else
      arguments.push_back({KernelArgument::Kind::Scalar,
                           const_cast<uint8_t *>(argument.bytes.data()),
                           argument.bytes.size(), argument.name});
  }
  return arguments;
}

Expected<ExecutionResult> KernelChecker::execute(Kernels which,
                                                 const KernelLaunch &launch,
                                                 Problem &problem) {
  auto found = executor(which);
  if (!found)
    return found.takeError();
  std::vector<KernelArgument> arguments = argumentsOf(launch, problem);
  if (!options.progress)
    return (*found)->launch(launch.symbol, launch.config, arguments);
  options.progress->start(kernel.displayName + (which == Tuned
                                                    ? ": tuned kernel"
                                                    : ": original kernel"));
  Expected<ExecutionResult> result =
      (*found)->launch(launch.symbol, launch.config, arguments);
  options.progress->clear();
  return result;
}

static Error writeArrays(const Problem &problem, llvm::StringRef directory) {
  if (std::error_code error = llvm::sys::fs::create_directories(directory))
    return llvm::createStringError(error, "cannot create '" + directory +
                                              "': " + error.message());
  for (const ProblemArray &array : problem.arrays()) {
    NpyArray file;
    file.dtype = npyType(array.element);
    file.shape = array.shape;
    if (array.element.lanes > 1)
      file.shape.push_back(array.element.lanes);
    file.bytes = array.bytes;
    llvm::SmallString<128> path(directory);
    llvm::sys::path::append(path, array.name + ".npy");
    if (Error error = writeNpy(path, file))
      return error;
  }
  return Error::success();
}

static std::vector<std::vector<uint8_t>> saveVariables(CPUExecutor &executor) {
  std::vector<std::vector<uint8_t>> saved;
  for (llvm::MutableArrayRef<uint8_t> variable : executor.globals())
    saved.push_back(variable.vec());
  return saved;
}

static void restoreVariables(CPUExecutor &executor,
                             const std::vector<std::vector<uint8_t>> &saved) {
  for (auto [variable, bytes] : llvm::zip(executor.globals(), saved))
    llvm::copy(bytes, variable.begin());
}

static bool isRace(const ExecutionFault &fault) {
  return fault.kind == ExecutionFault::Kind::DataRace;
}

/// Drops the races that the original kernel has at the same place: they are
/// the program's own, such as threads that all write the same value.
Error KernelChecker::dropOriginalRaces(Problem problem, KernelCheck &check) {
  if (llvm::none_of(check.tunedFaults, isRace))
    return Error::success();
  Expected<ExecutionResult> run = execute(
      OriginalWithRaces, {kernel.symbol, check.originalLaunch}, problem);
  if (!run)
    return run.takeError();
  llvm::StringSet<> places;
  for (const ExecutionFault &fault : run->faults)
    if (isRace(fault) && !fault.location.empty())
      places.insert(fault.location);
  llvm::erase_if(check.tunedFaults, [&](const ExecutionFault &fault) {
    bool isOriginal = isRace(fault) && places.contains(fault.location);
    check.originalRaces += isOriginal;
    return isOriginal;
  });
  return Error::success();
}

static bool isUninitialised(const ExecutionFault &fault) {
  return fault.kind == ExecutionFault::Kind::Uninitialised;
}

bool KernelChecker::mayReassociate() const {
  return compilation.options().reassociate ||
         compilation.options().import.fastMath;
}

/// Drops the reads of workgroup memory that nobody has written where no output
/// depends on what is there: threads beyond the bounds compute what nobody
/// wants. The kernel runs once more to see that, with other bytes in this
/// memory (NaN and 48.6 as floats), from the same `problem` and variables.
Error KernelChecker::dropIdleReads(Problem problem, const Problem &tuned,
                                   const Variables &before,
                                   KernelCheck &check) {
  if (llvm::none_of(check.tunedFaults, isUninitialised))
    return Error::success();
  CPUExecutor &executor = *executors[Tuned];
  Variables after = saveVariables(executor);
  restoreVariables(executor, before);
  executor.fillWorkgroupMemory(0x42);
  KernelCheck again;
  again.tunedLaunches = check.tunedLaunches;
  Error error = runTuned(again, problem);
  executor.fillWorkgroupMemory(CPUExecutorOptions().workgroupFill);
  bool isIdle = saveVariables(executor) == after;
  restoreVariables(executor, after);
  if (error)
    return error;
  isIdle &= llvm::all_of(again.tunedFaults, [](const ExecutionFault &fault) {
    return isRace(fault) || isUninitialised(fault);
  });
  for (auto [first, second] : llvm::zip(tuned.arrays(), problem.arrays()))
    isIdle &= !first.isOutput ||
              !compareArrays(first, second, mayReassociate()).mismatches;
  if (!isIdle)
    return Error::success();
  check.idleReads = llvm::count_if(check.tunedFaults, isUninitialised);
  llvm::erase_if(check.tunedFaults, isUninitialised);
  return Error::success();
}

/// The executor keeps a record per byte; see its limit in LaunchRun.cpp.
static bool isTooLargeForRaces(const Problem &problem) {
  static constexpr uint64_t limit = 256 << 20;
  uint64_t bytes = 0;
  for (const ProblemArray &array : problem.arrays())
    bytes += array.bytes.size();
  return bytes > limit;
}

/// Runs the launches one after the other. The cache starts empty at each and is
/// written back behind it: no launch finds there what the one before left.
Error KernelChecker::runTuned(KernelCheck &check, Problem &problem) {
  for (const KernelLaunch &launch : check.tunedLaunches) {
    Expected<ExecutionResult> run = execute(Tuned, launch, problem);
    if (!run)
      return run.takeError();
    llvm::append_range(check.tunedFaults, run->faults);
    check.tunedSectors += run->globalSectors;
    check.tunedDRAM.readBytes += run->dram.readBytes;
    check.tunedDRAM.writtenBytes += run->dram.writtenBytes;
    check.tunedDRAM.compulsoryBytes += run->dram.compulsoryBytes;
  }
  return Error::success();
}

Expected<KernelCheck> KernelChecker::check(const RunOptions &run) {
  Expected<Problem> problem = Problem::create(compilation, kernel, run);
  if (!problem)
    return problem.takeError();
  KernelCheck check;
  check.kernel = kernel;
  check.originalLaunch = problem->launch();

  Problem original = *problem;
  Expected<ExecutionResult> originalRun =
      execute(Original, {kernel.symbol, check.originalLaunch}, original);
  if (!originalRun)
    return originalRun.takeError();
  check.originalFaults = std::move(originalRun->faults);
  check.originalSectors = originalRun->globalSectors;
  check.originalDRAM = originalRun->dram;

  Problem tuned = *problem;
  auto launches = compilation.launches(kernel, problem->scalars(),
                                       check.originalLaunch, tuned.addresses());
  if (!launches)
    return launches.takeError();
  check.tunedLaunches = std::move(*launches);
  Expected<CPUExecutor *> tunedExecutor = executor(Tuned);
  if (!tunedExecutor)
    return tunedExecutor.takeError();
  Variables variables = saveVariables(**tunedExecutor);
  if (Error error = runTuned(check, tuned))
    return error;
  check.skippedRaces = options.detectRaces && isTooLargeForRaces(*problem);
  if (Error error = dropOriginalRaces(*problem, check))
    return error;
  if (Error error = dropIdleReads(*problem, tuned, variables, check))
    return error;

  for (auto [expected, found] : llvm::zip(original.arrays(), tuned.arrays()))
    if (expected.isOutput)
      check.arrays.push_back(compareArrays(expected, found, mayReassociate()));
  if (!options.outputDir.empty())
    if (Error error = writeArrays(tuned, options.outputDir))
      return error;
  return check;
}

static std::string shapeText(const Dim3 &dim) {
  return std::to_string(dim[0]) + "x" + std::to_string(dim[1]) + "x" +
         std::to_string(dim[2]);
}

static void printFaults(llvm::StringRef which,
                        const std::vector<ExecutionFault> &faults,
                        llvm::raw_ostream &os) {
  for (const ExecutionFault &fault : faults) {
    if (!fault.location.empty())
      os << fault.location << ": ";
    llvm::WithColor::error(os) << which << " kernel: " << fault.message << '\n';
  }
}

/// The launches of the tuned kernel: a sequence with a line for each, of which
/// equal ones that follow each other share one.
static void printTunedLaunches(const std::vector<KernelLaunch> &launches,
                               llvm::raw_ostream &os) {
  auto textOf = [](const KernelLaunch &launch) {
    if (launch.isCooperative)
      return "cooperative, " + shapeText(launch.config.grid) + " blocks of " +
             shapeText(launch.config.block);
    if (!launch.isFallback)
      return shapeText(launch.config.grid) + " blocks of " +
             shapeText(launch.config.block);
    return "the original kernel, since the tuned one cannot cover the launch" +
           (launch.fallbackReason.empty() ? "" : ": " + launch.fallbackReason);
  };
  if (launches.size() == 1 && launches.front().arguments.empty()) {
    const KernelLaunch &launch = launches.front();
    os << "; tuned" << (launch.isFallback ? ": " : " ") << textOf(launch)
       << '\n';
    return;
  }
  os << "; tuned " << launches.size()
     << (launches.size() == 1 ? " launch\n" : " launches\n");
  for (size_t i = 0; i < launches.size();) {
    size_t first = i;
    std::string text = launches[i].symbol + ": " + textOf(launches[i]);
    while (i < launches.size() &&
           launches[i].symbol + ": " + textOf(launches[i]) == text)
      ++i;
    os << "  " << text;
    if (i - first > 1)
      os << ", " << i - first << " times";
    os << '\n';
  }
}

void gpuopt::printCheck(const KernelCheck &check, llvm::raw_ostream &os) {
  os << check.kernel.displayName << ": original launch "
     << shapeText(check.originalLaunch.grid) << " blocks of "
     << shapeText(check.originalLaunch.block);
  printTunedLaunches(check.tunedLaunches, os);
  printFaults("original", check.originalFaults, os);
  printFaults("tuned", check.tunedFaults, os);
  if (check.originalRaces)
    os << "  " << check.originalRaces
       << " data race(s) of the original kernel are not counted\n";
  if (check.idleReads)
    os << "  " << check.idleReads
       << " place(s) read workgroup memory that nobody has written; no output "
          "depends on it\n";
  if (check.skippedRaces)
    os << "  not checked for data races: the arrays have more than 256 MiB\n";
  for (const ArrayComparison &array : check.arrays) {
    os << "  " << array.name << ": " << array.elements << " elements, ";
    if (array.mismatches == 0)
      os << "equal";
    else
      os << array.mismatches << " differ, the worst at element "
         << array.worstElement << ": expected " << array.original << ", found "
         << array.tuned;
    os << " (largest error " << llvm::format("%.3g", array.largestError)
       << ")\n";
  }
  if (check.originalSectors && check.tunedSectors)
    os << "  global memory sectors: " << check.originalSectors << " -> "
       << check.tunedSectors << " ("
       << llvm::format("%.1f", double(check.originalSectors) /
                                   double(check.tunedSectors))
       << " times fewer)\n";
  if (check.originalDRAM.bytes() && check.tunedDRAM.bytes())
    os << "  DRAM bytes (model): " << check.originalDRAM.bytes() << " -> "
       << check.tunedDRAM.bytes() << ", compulsory "
       << check.originalDRAM.compulsoryBytes << '\n';
  llvm::WithColor(os, check.passed() ? llvm::raw_ostream::GREEN
                                     : llvm::raw_ostream::RED)
      << (check.passed() ? "  passed" : "  FAILED") << '\n';
}
