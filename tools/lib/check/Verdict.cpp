//===- Verdict.cpp - what the runs of a check prove -----------------------===//

#include "tools/lib/check/Check.h"
#include "tools/lib/launch/RunLimits.h"

using namespace gpuopt;
using Kind = ExecutionFault::Kind;

bool KernelCheck::wasInterrupted() const {
  return gpuopt::wasInterrupted(originalFaults) ||
         gpuopt::wasInterrupted(tunedFaults) ||
         llvm::any_of(asText, std::mem_fn(&KernelCheck::wasInterrupted)) ||
         llvm::any_of(withExtremes, std::mem_fn(&KernelCheck::wasInterrupted));
}

/// Whether the source does what no kernel may do. That it took too long, or
/// that the executor cannot run it, says nothing about it.
static bool goesWrong(llvm::ArrayRef<ExecutionFault> faults) {
  return llvm::any_of(faults, [](const ExecutionFault &fault) {
    return !wasCutShort(fault) && fault.kind != Kind::Unsupported;
  });
}

static bool isInterruptionAlone(llvm::ArrayRef<ExecutionFault> faults) {
  return !faults.empty() &&
         llvm::all_of(faults, [](const ExecutionFault &fault) {
           return gpuopt::wasInterrupted(fault);
         });
}

/// Whether races of the source explain all that is wrong.
static bool racesExplain(const KernelCheck &check) {
  auto isOfSource = [&](const ExecutionFault &fault) {
    return llvm::any_of(check.sourceRaces, [&](const ExecutionFault &race) {
      return fault.race && race.race && fault.race->array == race.race->array &&
             fault.race->inWorkgroupMemory == race.race->inWorkgroupMemory;
    });
  };
  // What is wrong besides, in other arrays, is so whatever the races do;
  // whether results depend on what nobody has written cannot be told from them.
  auto isDefinite = [&](const ExecutionFault &fault) {
    return fault.kind != Kind::Uninitialised &&
           (fault.kind != Kind::DataRace || !isOfSource(fault));
  };
  return !check.sourceRaces.empty() &&
         (check.allowsFallback || !check.lacksTunedLaunch()) &&
         (check.racesExplainOutputs || check.hasEqualOutputs()) &&
         llvm::none_of(check.tunedFaults, isDefinite);
}

/// Whether all that is wrong is that the original kernel uses what nothing has
/// set. The kernel of another file is expected to do without it.
static bool unsetUsesExplain(const KernelCheck &check) {
  return !check.unsetUses.empty() && check.unsetUsesExplainOutputs &&
         !check.isOfSecondFile && check.tunedFaults.empty() &&
         (check.allowsFallback || !check.lacksTunedLaunch());
}

CheckVerdict KernelCheck::ownVerdict() const {
  if (goesWrong(originalFaults))
    return CheckVerdict::Undefined;
  if (!originalFaults.empty() || isInterruptionAlone(tunedFaults))
    return CheckVerdict::Unfinished;
  if (tunedFaults.empty() && (allowsFallback || !lacksTunedLaunch()) &&
      hasEqualOutputs())
    return unsetUses.empty() ? CheckVerdict::Passed : CheckVerdict::Undefined;
  return racesExplain(*this) || unsetUsesExplain(*this)
             ? CheckVerdict::Undefined
             : CheckVerdict::Failed;
}

CheckVerdict KernelCheck::verdict() const {
  CheckVerdict worst = ownVerdict();
  for (const auto &parts : {&asText, &withExtremes})
    for (const KernelCheck &part : *parts)
      worst = std::max(worst, part.verdict());
  return worst;
}

llvm::StringRef gpuopt::verdictName(CheckVerdict verdict) {
  switch (verdict) {
  case CheckVerdict::Passed:
    return "passed";
  case CheckVerdict::Undefined:
    return "undefined";
  case CheckVerdict::Unfinished:
    return "unfinished";
  case CheckVerdict::Failed:
    return "failed";
  }
  llvm_unreachable("all verdicts have a name");
}
