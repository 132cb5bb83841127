//===- Check.cpp - is the tuned kernel equal to the original? -------------===//

#include "tools/lib/check/Check.h"

#include "conversion/ImportSource/OpenACC/ImportOpenACC.h"
#include "tools/lib/launch/LaunchArguments.h"
#include "tools/lib/launch/LaunchLimits.h"
#include "tools/lib/launch/Npy.h"
#include "tools/lib/launch/PlacedArrays.h"
#include "tools/lib/launch/RunLimits.h"
#include "tools/lib/launch/Scalars.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <chrono>
#include <set>

using namespace gpuopt;
using llvm::Error;
using llvm::Expected;

Expected<ExecutionResult> KernelChecker::execute(CheckExecutors::Kernels which,
                                                 const KernelLaunch &launch,
                                                 Problem &problem) {
  auto found = executors->get(which);
  if (!found)
    return found.takeError();
  std::vector<KernelArgument> arguments =
      argumentsOf(launch, problem.arguments());
  LaunchConfig config = launch.config;
  // What a sequential program does is no matter of the launch.
  bool isTuned = CheckExecutors::isTuned(which);
  const llvm::Module *sequential = compilation.sequentialModule();
  const llvm::Function *untouched =
      sequential ? sequential->getFunction(kernel.symbol) : nullptr;
  if (!isTuned && untouched && !untouched->hasFnAttribute(kTeamNote))
    config = LaunchConfig();
  // Errors are asked for by the addresses of the arrays themselves.
  Placement placement;
  placement.isAligned = which != CheckExecutors::OriginalWithErrors;
  placement.isDisplaced = isTuned;
  placement.isPadded = CheckExecutors::isText(which);
  PlacedArrays placed(problem, arguments, placement);
  if (isTuned)
    (*found)->limitSteps(
        maxStepsOfTuned(options.maxSteps, problem.launch(), config));
  if (options.progress)
    options.progress->start(kernel.displayName +
                            (CheckExecutors::isText(which) ? ": PTX"
                             : isTuned ? ": " + counterpart.name + " kernel"
                                       : ": original kernel"));
  Expected<ExecutionResult> result =
      (*found)->launch(launch.symbol, config, arguments);
  if (options.progress)
    options.progress->clear();
  if (result)
    for (const std::string &name : placed.overrun()) {
      ExecutionFault &fault = result->faults.emplace_back();
      fault.kind = ExecutionFault::Kind::OutOfBounds;
      fault.message = "something is stored behind the end of '" + name + "'";
    }
  return result;
}

Expected<ExecutionResult>
KernelChecker::runOriginalAgain(CheckExecutors::Kernels which, Problem &problem,
                                const KernelCheck &check) {
  Expected<CPUExecutor *> made = executors->get(which);
  if (!made)
    return made.takeError();
  restoreVariables(**made, originalVariables);
  return execute(which, {kernel.symbol, check.originalLaunch}, problem);
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

/// One kernel needs no other's text.
std::shared_ptr<CheckExecutors> KernelChecker::makeExecutors() const {
  auto made = std::make_shared<CheckExecutors>(compilation, options);
  std::vector<std::string> symbols;
  for (const KernelInfo &phase : compilation.phases(kernel))
    symbols.push_back(phase.symbol);
  // Alone it takes all launches.
  std::string fallback = compilation.fallbackSymbol(kernel);
  if (options.text == CheckText::Only && fallback != kernel.symbol)
    symbols.push_back(std::move(fallback));
  made->selectText(std::move(symbols));
  return made;
}

KernelChecker::Variables KernelChecker::saveVariables(CPUExecutor &executor) {
  Variables saved;
  for (const ModuleVariable &variable : executor.globals())
    if (!variable.holdsAddress)
      saved[variable.name.str()] = variable.bytes.vec();
  return saved;
}

void KernelChecker::restoreVariables(CPUExecutor &executor,
                                     const Variables &saved) {
  for (const ModuleVariable &variable : executor.globals()) {
    auto bytes = saved.find(variable.name.str());
    if (bytes != saved.end() && bytes->second.size() == variable.bytes.size())
      llvm::copy(bytes->second, variable.bytes.begin());
  }
}

static bool isUninitialised(const ExecutionFault &fault) {
  return fault.kind == ExecutionFault::Kind::Uninitialised;
}

/// Drops the reads of workgroup memory that nobody has written where no output
/// depends on what is there: threads beyond the bounds compute what nobody
/// wants. The kernel runs once more to see that, with other bytes in this
/// memory (NaN and 48.6 as floats), from the same `problem` and variables.
Error KernelChecker::dropIdleReads(CheckExecutors::Kernels which,
                                   Problem problem, const Problem &tuned,
                                   const Variables &before,
                                   KernelCheck &check) {
  if (llvm::none_of(check.tunedFaults, isUninitialised))
    return Error::success();
  CPUExecutor &executor = **executors->get(which);
  Variables after = saveVariables(executor);
  restoreVariables(executor, before);
  executor.fillWorkgroupMemory(0x42);
  KernelCheck again;
  again.tunedLaunches = check.tunedLaunches;
  Error error = runTuned(which, again, problem);
  executor.fillWorkgroupMemory(CPUExecutorOptions().workgroupFill);
  bool isIdle = saveVariables(executor) == after;
  restoreVariables(executor, after);
  if (error)
    return error;
  isIdle &= llvm::all_of(again.tunedFaults, [](const ExecutionFault &fault) {
    return fault.kind == ExecutionFault::Kind::DataRace ||
           isUninitialised(fault);
  });
  for (auto [first, second] : llvm::zip(tuned.arrays(), problem.arrays()))
    isIdle &= !first.isOutput || compareArrays(first, second).isEqual();
  if (!isIdle)
    return Error::success();
  check.idleReads = llvm::count_if(check.tunedFaults, isUninitialised);
  llvm::erase_if(check.tunedFaults, isUninitialised);
  return Error::success();
}

/// The executor keeps a record per byte; see its limit in LaunchRun.cpp.
static bool isTooLargeForRaces(const Problem &problem) {
  static constexpr uint64_t limit = 256 << 20;
  return problem.arrayBytes() > limit;
}

/// Runs the launches one after the other. The cache starts empty at each and is
/// written back behind it: no launch finds there what the one before left.
Error KernelChecker::runTuned(CheckExecutors::Kernels which, KernelCheck &check,
                              Problem &problem) {
  for (const KernelLaunch &launch : check.tunedLaunches) {
    Expected<ExecutionResult> run = execute(which, launch, problem);
    if (!run)
      return run.takeError();
    llvm::append_range(check.tunedFaults, run->faults);
    check.skippedCounts |= run->droppedCounts;
    check.tunedSectors += run->globalSectors;
    check.tunedDRAM.readBytes += run->dram.readBytes;
    check.tunedDRAM.writtenBytes += run->dram.writtenBytes;
    check.tunedDRAM.compulsoryBytes += run->dram.compulsoryBytes;
    if (wasCutShort(run->faults))
      break;
  }
  return Error::success();
}

Error KernelChecker::runOriginal(const RunOptions &run, KernelCheck &check,
                                 Problem &problem) {
  Expected<CPUExecutor *> made = executors->get(CheckExecutors::Original);
  if (!made)
    return made.takeError();
  if (Error error = executors->setVariables(run))
    return error;
  originalVariables = saveVariables(**made);
  Expected<ExecutionResult> result = execute(
      CheckExecutors::Original, {kernel.symbol, check.originalLaunch}, problem);
  if (!result)
    return result.takeError();
  check.originalFaults = std::move(result->faults);
  check.originalSectors = result->globalSectors;
  check.originalDRAM = result->dram;
  check.skippedCounts = result->droppedCounts;
  return Error::success();
}

Expected<std::vector<KernelLaunch>>
KernelChecker::findLaunches(const RunOptions &run,
                            const Problem &problem) const {
  if (givenLaunches)
    return *givenLaunches;
  if (!counterpart.symbol.empty()) {
    NumberMap sizes = run.sizes;
    for (const auto &[name, value] : problem.scalars())
      sizes.emplace(name, value);
    Expected<LaunchConfig> config = counterpart.launch.evaluate(
        problem.launch(), sizes, counterpart.requiredBlock);
    if (!config)
      return config.takeError();
    if (Error error = checkDynamicMemory(config->dynamicSharedBytes,
                                         compilation.target()))
      return error;
    KernelLaunch launch = {counterpart.symbol, *config};
    launch.arguments = counterpart.arguments;
    return std::vector{std::move(launch)};
  }
  return compilation.launches(kernel, problem.scalars(), problem.launch(),
                              problem.addresses());
}

/// Runs `which` from `before` on and compares what it leaves, which is
/// returned, with `original`.
Expected<Problem> KernelChecker::runAndCompare(CheckExecutors::Kernels which,
                                               const Problem &before,
                                               const Problem &original,
                                               KernelCheck &check) {
  Problem tuned = before;
  Expected<CPUExecutor *> executor = executors->get(which);
  if (!executor)
    return executor.takeError();
  restoreVariables(**executor, originalVariables);
  Variables variables = saveVariables(**executor);
  if (Error error = runTuned(which, check, tuned))
    return error;
  if (wasCutShort(check.tunedFaults))
    return tuned;
  check.skippedRaces =
      executors->findsRaces(which) && isTooLargeForRaces(before);
  if (Error error = dropOriginalRaces(before, check))
    return error;
  if (Error error = dropIdleReads(which, before, tuned, variables, check))
    return error;
  if (Error error = dropIdleRaces(before, variables, check))
    return error;

  Runs runs = {which, before, original, tuned};
  if (Error error = compareOutputs(runs, check))
    return error;
  if (Error error = findUnsetUses(before, check))
    return error;
  if (Error error = explainByUnsetUses(runs, check))
    return error;
  // Results that depend on races differ without fault of the compiler.
  if (options.detectRaces && !check.skippedRaces)
    if (Error error = explainByRaces(runs, check))
      return error;
  return tuned;
}

Expected<KernelCheck> KernelChecker::checkWith(const RunOptions &run) {
  Expected<Problem> problem =
      Problem::create(compilation, kernel, run, *subscripts);
  if (!problem)
    return problem.takeError();
  KernelCheck check;
  check.madeUpIntegers = problem->madeUpIntegers();
  check.kernel = kernel;
  check.comparedName = counterpart.name;
  check.isOfSecondFile = counterpart.isOfSecondFile;
  check.allowsFallback = options.allowFallback;
  check.originalLaunch = problem->launch();
  check.originalBytes = problem->arrayBytes();

  Problem original = *problem;
  if (Error error = runOriginal(run, check, original))
    return error;
  // What the original kernel does then, nobody has to keep up with. Where it
  // did not end, there is nothing to compare with.
  bool isOfExtremes = run.values != InputValues::Ordinary;
  if ((isOfExtremes && !check.originalFaults.empty()) ||
      wasCutShort(check.originalFaults)) {
    restoreVariables(**executors->get(CheckExecutors::Original),
                     originalVariables);
    return check;
  }

  auto launches = findLaunches(run, *problem);
  if (!launches)
    return launches.takeError();
  check.tunedLaunches = std::move(*launches);
  bool isTextAlone =
      options.text == CheckText::Only && counterpart.symbol.empty();
  Expected<Problem> tuned =
      isTextAlone
          ? checkTextAlone(*problem, original, isOfExtremes, check)
          : runAndCompare(CheckExecutors::Tuned, *problem, original, check);
  if (!tuned)
    return tuned.takeError();
  if (wasCutShort(check.tunedFaults))
    return check;
  if (!options.outputDir.empty() && !isOfExtremes)
    if (Error error = writeArrays(*tuned, options.outputDir))
      return error;
  if (isTextAlone)
    return check;
  if (Error error = checkText(*problem, original, isOfExtremes, check))
    return error;
  return check;
}

/// Where subscripts that reach all of what they index lead the original kernel
/// out of an array, as `a[2 * at[i] + 1]` does, they are small.
Expected<KernelCheck> KernelChecker::checkOnce(const RunOptions &run) {
  if (!subscripts) {
    // Of all runs, whether they fit them or not.
    RunOptions fitting = run;
    fitting.fitSubscripts = true;
    subscripts = findSubscripts(compilation, kernel, fitting);
  }
  Expected<KernelCheck> check = checkWith(run);
  if (!check || subscripts->empty() || !check->mayBlameInputs())
    return check;
  restoreVariables(**executors->get(CheckExecutors::Original),
                   originalVariables);
  RunOptions withSmall = run;
  withSmall.fitSubscripts = false;
  Expected<KernelCheck> again = checkWith(withSmall);
  if (!again || again->originalFaults.empty())
    return again;
  return check;
}

std::optional<std::string> KernelCheck::expense() const {
  if (originalBytes > kCheapBytes)
    return "the arrays take more than " + std::to_string(kCheapBytes >> 20) +
           " MiB";
  if (originalSectors > kCheapSectors || skippedCounts)
    return "the original kernel moves more than " +
           std::to_string(kCheapSectors) + " sectors";
  return std::nullopt;
}

/// Whether an array of numbers gets its contents from the seed.
static bool
hasRandomArray(const KernelInfo &kernel, const RunOptions &run,
               llvm::function_ref<bool(const ElementType &)> isWanted) {
  return llvm::any_of(kernel.parameters, [&](const KernelParameter &parameter) {
    return parameter.isPointer && !run.inputs.count(parameter.name) &&
           isWanted(parameter.element);
  });
}

/// Whether numbers of a variable come from the seed.
static bool makesUpVariables(llvm::ArrayRef<HostVariable> variables,
                             const RunOptions &run) {
  return llvm::any_of(variables, [&](const HostVariable &variable) {
    return !variable.members.empty() && !run.inputs.count(variable.name);
  });
}

/// Integers may be subscripts, or numbers of iterations: where the original
/// kernel goes wrong with extreme ones, they are ordinary.
Expected<KernelCheck> KernelChecker::checkExtremes(const RunOptions &run,
                                                   double maxSeconds) {
  Expected<CPUExecutor *> original = executors->get(CheckExecutors::Original);
  if (!original)
    return original.takeError();
  RunOptions extreme = run;
  extreme.values = InputValues::Extreme;
  extreme.sumsMayOverflow =
      findRounding(options.text == CheckText::Only ? CheckExecutors::Text
                                                   : CheckExecutors::Tuned)
          .reasons.empty();
  (*original)->limitSeconds(std::min(maxSeconds, options.maxSeconds));
  Variables variables = saveVariables(**original);
  Expected<KernelCheck> check = checkOnce(extreme);
  // What takes too long with these is not tried with others.
  auto isWrong = [&] {
    return check && !check->originalFaults.empty() &&
           !wasCutShort(check->originalFaults);
  };
  bool hasVariables = makesUpVariables(executors->variablesOfHost(), run);
  if (isWrong() && (hasVariables || hasRandomArray(kernel, run, isFloat))) {
    extreme.values = InputValues::ExtremeFloats;
    check = checkOnce(extreme);
  }
  // Offsets and sizes of the source may be all that is right.
  if (isWrong() && hasVariables && hasRandomArray(kernel, run, isFloat)) {
    extreme.keepVariables = true;
    restoreVariables(**original, variables);
    check = checkOnce(extreme);
  }
  restoreVariables(**original, variables);
  (*original)->limitSeconds(options.maxSeconds);
  return check;
}

std::optional<std::string>
KernelChecker::skipsExtremes(const RunOptions &run,
                             const KernelCheck &first) const {
  // What is asked for needs no reason.
  if (options.inputs == CheckInputs::Ordinary)
    return "";
  if (compilation.options().import.fastMath)
    return "-ffast-math promises that there are no NaNs, infinities and signs "
           "of zeros";
  if (wasCutShort(first.originalFaults))
    return "the original kernel does not end with ordinary ones";
  if (!first.originalFaults.empty())
    return "the original kernel goes wrong with ordinary ones";
  if (wasCutShort(first.tunedFaults))
    return "the tuned kernel does not end with ordinary ones";
  if (first.usedFallback())
    return "nothing tuned runs";
  bool hasArray = hasRandomArray(kernel, run, [](const ElementType &type) {
    return type.kind != ElementKind::Opaque;
  });
  if (!hasArray && !makesUpVariables(executors->variablesOfHost(), run))
    return "no array of numbers is made up";
  if (options.inputs == CheckInputs::Both)
    return std::nullopt;
  std::optional<std::string> expense = first.expense();
  return expense ? std::optional(*expense + " (--inputs both)") : std::nullopt;
}

Expected<KernelCheck> KernelChecker::check(const RunOptions &run) {
  if (options.inputs == CheckInputs::Extreme)
    return checkExtremes(run, options.maxSeconds);
  auto begin = std::chrono::steady_clock::now();
  Expected<KernelCheck> check = checkOnce(run);
  if (!check)
    return check;
  if (std::optional<std::string> reason = skipsExtremes(run, *check)) {
    check->extremesSkipped = *reason;
    return check;
  }
  std::chrono::duration<double> elapsed =
      std::chrono::steady_clock::now() - begin;
  Expected<KernelCheck> extremes =
      checkExtremes(run, /*maxSeconds=*/5 + 10 * elapsed.count());
  if (!extremes)
    return extremes.takeError();
  if (extremes->lacksTunedLaunch())
    check->extremesSkipped = "their arrays lie where the original kernel is "
                             "launched";
  else if (extremes->originalFaults.empty())
    check->withExtremes.push_back(std::move(*extremes));
  else
    check->extremesSkipped = "the original kernel goes wrong with them: " +
                             extremes->originalFaults.front().message;
  return check;
}

Expected<KernelCheck> KernelChecker::check(const RunOptions &run,
                                           std::vector<KernelLaunch> launches) {
  givenLaunches = std::move(launches);
  Expected<KernelCheck> result = check(run);
  givenLaunches.reset();
  return result;
}
