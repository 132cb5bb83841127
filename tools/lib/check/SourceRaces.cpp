//===- SourceRaces.cpp - what races of the source explain -----------------===//

#include "tools/lib/check/Check.h"
#include "tools/lib/launch/RunLimits.h"

#include <set>

using namespace gpuopt;
using llvm::Error;
using llvm::Expected;

//===----------------------------------------------------------------------===//
// Races
//===----------------------------------------------------------------------===//

static bool isRace(const ExecutionFault &fault) {
  return fault.kind == ExecutionFault::Kind::DataRace;
}

/// Runs the original kernel once more to see whether it races.
Error KernelChecker::findSourceRaces(Problem problem, KernelCheck &check) {
  Expected<ExecutionResult> run =
      runOriginalAgain(CheckExecutors::OriginalWithRaces, problem, check);
  if (!run)
    return run.takeError();
  llvm::copy_if(run->faults, std::back_inserter(check.sourceRaces), isRace);
  return Error::success();
}

/// Drops the races that the original kernel has between the same accesses: they
/// are the program's own, such as threads that all write the same value.
Error KernelChecker::dropOriginalRaces(Problem problem, KernelCheck &check) {
  if (llvm::none_of(check.tunedFaults, isRace))
    return Error::success();
  if (Error error = findSourceRaces(std::move(problem), check))
    return error;
  std::set<RacingPair> known;
  for (const ExecutionFault &fault : check.sourceRaces)
    if (fault.race && !fault.race->first.location.empty() &&
        !fault.race->second.location.empty())
      known.insert(*fault.race);
  llvm::erase_if(check.tunedFaults, [&](const ExecutionFault &fault) {
    bool isOriginal = fault.race && known.count(*fault.race);
    check.originalRaces += isOriginal;
    return isOriginal;
  });
  return Error::success();
}

/// Drops the races of a kernel of another file that leave nothing unsettled, as
/// where all lanes of a subgroup write one sum: other compilers rely on that,
/// this one does not. The kernel runs once more, from the same `problem` and
/// variables; where it does not come to its end, all races stay.
Error KernelChecker::dropIdleRaces(Problem problem, const Variables &before,
                                   KernelCheck &check) {
  if (!check.isOfSecondFile || llvm::none_of(check.tunedFaults, isRace))
    return Error::success();
  Expected<CPUExecutor *> made =
      executors->get(CheckExecutors::TunedWithRaceEffects);
  if (!made)
    return made.takeError();
  restoreVariables(**made, before);
  executors->raceEffects().find();
  for (const KernelLaunch &launch : check.tunedLaunches) {
    Expected<ExecutionResult> run =
        execute(CheckExecutors::TunedWithRaceEffects, launch, problem);
    if (!run)
      return run.takeError();
    if (wasCutShort(run->faults))
      return Error::success();
  }
  if (executors->raceEffects().isAny())
    return Error::success();
  check.idleRaces = llvm::count_if(check.tunedFaults, isRace);
  llvm::erase_if(check.tunedFaults, isRace);
  return Error::success();
}

//===----------------------------------------------------------------------===//
// What depends on them
//===----------------------------------------------------------------------===//

/// Runs the original kernel from `problem` on as the effects are set.
Error KernelChecker::runWithRaceEffects(Problem &problem,
                                        const KernelCheck &check) {
  Expected<CPUExecutor *> made =
      executors->get(CheckExecutors::OriginalWithRaceEffects);
  if (!made)
    return made.takeError();
  restoreVariables(**made, originalVariables);
  return execute(CheckExecutors::OriginalWithRaceEffects,
                 {kernel.symbol, check.originalLaunch}, problem)
      .takeError();
}

/// Those that races leave unsettled, and those that are others where reads of
/// unsettled ones are disturbed: in the lowest bit of each byte, which leaves
/// subscripts near what they are, and in many, which no rounding hides.
Error KernelChecker::findOpenBytes(const Runs &runs, const KernelCheck &check,
                                   OpenBytes &open) {
  RaceEffects &effects = executors->raceEffects();
  Variables original =
      saveVariables(**executors->get(CheckExecutors::Original));
  effects.find();
  Problem problem = runs.before;
  if (Error error = runWithRaceEffects(problem, check))
    return error;
  for (const ProblemArray &array : problem.arrays())
    open.arrays.push_back(effects.ofArgument(array.name).vec());
  for (const auto &[symbol, bytes] : original)
    open.variables[symbol] = effects.ofVariable(symbol).vec();
  if (!effects.isAny())
    return Error::success();
  for (uint8_t mask : {0x01, 0x55}) {
    effects.disturb(mask);
    problem = runs.before;
    if (Error error = runWithRaceEffects(problem, check))
      return error;
    for (auto [flags, array, expected] :
         llvm::zip(open.arrays, problem.arrays(), runs.original.arrays()))
      addDifferences(array.bytes, expected.bytes, flags);
    Variables disturbed = saveVariables(
        **executors->get(CheckExecutors::OriginalWithRaceEffects));
    for (auto &[symbol, flags] : open.variables)
      addDifferences(disturbed[symbol], original[symbol], flags);
  }
  return Error::success();
}

/// Compares what no race of the source decides: all else is taken for right.
Error KernelChecker::explainByRaces(const Runs &runs, KernelCheck &check) {
  if (check.hasEqualOutputs() || !check.originalFaults.empty())
    return Error::success();
  if (check.sourceRaces.empty())
    if (Error error = findSourceRaces(runs.before, check))
      return error;
  if (check.sourceRaces.empty())
    return Error::success();
  OpenBytes open;
  if (Error error = findOpenBytes(runs, check, open))
    return error;
  return compareBesides(open, runs, check).moveInto(check.racesExplainOutputs);
}
