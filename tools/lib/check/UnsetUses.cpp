//===- UnsetUses.cpp - what the original kernel has not set ---------------===//
//
// Registers and local memory of PTX that nothing has set hold no number where
// the original kernel runs, and zero, or anything, in what is tuned.
//
//===----------------------------------------------------------------------===//

#include "tools/lib/check/Check.h"
#include "tools/lib/launch/RunLimits.h"

using namespace gpuopt;
using llvm::Error;
using llvm::Expected;

/// Runs the original kernel once more to see whether it uses what nothing
/// has set. Results that are equal all the same are so by luck.
Error KernelChecker::findUnsetUses(Problem problem, KernelCheck &check) {
  if (!executors->mayUseUnset(kernel.symbol))
    return Error::success();
  Expected<ExecutionResult> run =
      runOriginalAgain(CheckExecutors::OriginalWithUnset, problem, check);
  if (!run)
    return run.takeError();
  llvm::copy_if(run->faults, std::back_inserter(check.unsetUses),
                [](const ExecutionFault &fault) {
                  return fault.kind == ExecutionFault::Kind::UnsetRegister;
                });
  return Error::success();
}

/// Finds which bytes are others where what nothing has set is: runs the
/// original kernel with more contents of it.
Error KernelChecker::findBytesOfUnset(const Runs &runs,
                                      const KernelCheck &check,
                                      OpenBytes &open) {
  CPUExecutor &executor = **executors->get(CheckExecutors::Original);
  Variables original = saveVariables(executor);
  open.arrays.resize(runs.before.arrays().size());
  auto runWith = [&](uint8_t fill) -> Error {
    Problem problem = runs.before;
    restoreVariables(executor, originalVariables);
    executor.fillWorkgroupMemory(fill);
    Expected<ExecutionResult> run =
        execute(CheckExecutors::Original, {kernel.symbol, check.originalLaunch},
                problem);
    if (!run)
      return run.takeError();
    for (auto [flags, array, expected] :
         llvm::zip(open.arrays, problem.arrays(), runs.original.arrays()))
      addDifferences(array.bytes, expected.bytes, flags);
    for (const auto &[symbol, bytes] : saveVariables(executor))
      addDifferences(bytes, original[symbol], open.variables[symbol]);
    return Error::success();
  };
  Error failure = runWith(0x00);
  for (uint8_t fill : {0x01, 0x55})
    if (!failure)
      failure = runWith(fill);
  executor.fillWorkgroupMemory(CPUExecutorOptions().workgroupFill);
  restoreVariables(executor, original);
  return failure;
}

Error KernelChecker::explainByUnsetUses(const Runs &runs, KernelCheck &check) {
  if (check.unsetUses.empty() || check.hasEqualOutputs())
    return Error::success();
  OpenBytes open;
  if (Error error = findBytesOfUnset(runs, check, open))
    return error;
  return compareBesides(open, runs, check)
      .moveInto(check.unsetUsesExplainOutputs);
}
