//===- CheckOutputs.cpp - what two kernels have left behind ---------------===//

#include "tools/lib/check/Check.h"
#include "tools/lib/launch/Scalars.h"

#include "llvm/Demangle/Demangle.h"

using namespace gpuopt;
using llvm::Error;
using llvm::Expected;

/// Why the tuned kernel may round in another way than the original one.
KernelChecker::Rounding
KernelChecker::findRounding(CheckExecutors::Kernels which) const {
  Rounding rounding;
  if (executors->addsFloatsAtomically(kernel.symbol))
    rounding.reasons.push_back("atomic sums of floating-point numbers, which "
                               "have no order");
  for (const Step &step : compilation.steps())
    if (step.isAbout(kernel) && step.reordersSums) {
      rounding.loose = LooseOperations::SumsInLoops;
      std::string leave = compilation.options().reassociate ? "--reassociate"
                          : compilation.sequentialModule()
                              ? "the clause 'reduction'"
                              : "#pragma gpuopt reassociate";
      rounding.reasons.push_back(leave + ", by which " + step.pass +
                                 " has reordered sums");
    }
  if (executors->mayCallOtherFunctions(kernel.symbol, which)) {
    // Beside reordered sums every operation is taken to be loose.
    rounding.loose = rounding.loose == LooseOperations::SumsInLoops
                         ? LooseOperations::All
                         : LooseOperations::Functions;
    rounding.reasons.push_back("functions such as expf may be computed in "
                               "another way");
  }
  if (executors->mayBeFused(kernel.symbol, which)) {
    rounding.loose = rounding.loose == LooseOperations::SumsInLoops
                         ? LooseOperations::All
                         : LooseOperations::Fused;
    rounding.reasons.push_back("products and sums may be fused in one kernel "
                               "and not in the other");
  }
  if (executors->mayBeRoundedOtherwise(kernel.symbol)) {
    rounding.loose = LooseOperations::All;
    rounding.reasons.push_back("approximations, or products of matrices, may "
                               "be computed in another way");
  }
  if (compilation.options().import.fastMath) {
    rounding.loose = LooseOperations::All;
    rounding.reasons.push_back("-ffast-math");
  }
  return rounding;
}

/// How far the scalars in `bytes` may be off, by what is known of `errors`.
static ErrorBounds boundsOf(const ElementType &type,
                            llvm::ArrayRef<uint8_t> bytes,
                            const ErrorShadow &errors) {
  // Integers, too, and what is opaque: something was decided by numbers that
  // may be others.
  if (errors.isLost())
    return ErrorBounds(bytes.size(), std::numeric_limits<double>::infinity());
  if (!isFloat(type) || !type.bytes)
    return {};
  ErrorBounds bounds;
  for (size_t at = 0; at + type.bytes <= bytes.size(); at += type.bytes) {
    const uint8_t *scalar = bytes.data() + at;
    bounds.push_back(
        errors.find(scalar, type.bytes, loadScalar(type, scalar)).bound());
  }
  return bounds;
}

/// Runs the original kernel once more and returns the bounds of all it has
/// computed.
Expected<KernelChecker::Bounds>
KernelChecker::boundErrors(Problem problem, LooseOperations loose,
                           KernelCheck &check) {
  Expected<CPUExecutor *> made = executors->getWithNewErrors(loose);
  if (!made)
    return made.takeError();
  restoreVariables(**made, originalVariables);
  Expected<ExecutionResult> run =
      execute(CheckExecutors::OriginalWithErrors,
              {kernel.symbol, check.originalLaunch}, problem);
  if (!run)
    return run.takeError();
  // Such as that the time is up, this time.
  llvm::append_range(check.originalFaults, run->faults);
  Bounds bounds;
  for (const ProblemArray &array : problem.arrays())
    bounds.arrays.push_back(
        boundsOf(array.element, array.bytes, executors->errors()));
  for (const ModuleVariable &variable : (*made)->globals())
    bounds.variables[variable.name.str()] =
        boundsOf(executors->elementOf(variable.name), variable.bytes,
                 executors->errors());
  return bounds;
}

/// Runs the original kernel once more to see where it stores what is there
/// already.
Expected<KernelChecker::Stores> KernelChecker::findStores(Problem problem,
                                                          KernelCheck &check) {
  Expected<ExecutionResult> run =
      runOriginalAgain(CheckExecutors::OriginalWithStores, problem, check);
  if (!run)
    return run.takeError();
  // Such as that the time is up, this time.
  llvm::append_range(check.originalFaults, run->faults);
  Stores stores;
  for (const ProblemArray &array : problem.arrays())
    stores.push_back(std::move(run->stored[array.parameter]));
  return stores;
}

void KernelChecker::compareArraysOf(const Runs &runs, const Details &details,
                                    KernelCheck &check) {
  for (size_t i = 0; i < runs.before.arrays().size(); ++i) {
    const ProblemArray &expected = runs.original.arrays()[i];
    const ProblemArray &found = runs.tuned.arrays()[i];
    ArrayComparison comparison;
    if (expected.isOutput)
      comparison =
          compareArrays(expected, found,
                        details.bounds ? &details.bounds->arrays[i] : nullptr);
    llvm::ArrayRef<uint8_t> stored;
    if (!details.stores.empty())
      stored = details.stores[i];
    findStrayWrites(runs.before.arrays()[i], expected, found, stored,
                    comparison);
    if (expected.isOutput || !comparison.passed())
      check.arrays.push_back(std::move(comparison));
  }
}

/// The contents of a variable as an output.
static ProblemArray asArray(llvm::StringRef symbol, const ElementType &type,
                            const std::vector<uint8_t> &bytes) {
  ProblemArray array;
  array.name = llvm::demangle(symbol);
  array.element = type;
  array.bytes = bytes;
  array.isOutput = true;
  array.outputElements = bytes.size() / std::max(1u, type.bytes);
  return array;
}

/// Those that the original kernel has changed, or the tuned one alone.
void KernelChecker::compareVariables(const Runs &runs, const Details &details,
                                     KernelCheck &check) {
  Variables original =
      saveVariables(**executors->get(CheckExecutors::Original));
  Variables tuned = saveVariables(**executors->get(runs.which));
  for (const auto &[symbol, expected] : original) {
    const std::vector<uint8_t> &before = originalVariables[symbol];
    auto found = tuned.find(symbol);
    // What no tuned kernel uses may not be there.
    const std::vector<uint8_t> &after =
        found == tuned.end() || found->second.size() != expected.size()
            ? before
            : found->second;
    if (expected == before && after == before)
      continue;
    ElementType type = executors->elementOf(symbol);
    const ErrorBounds *known = nullptr;
    if (details.bounds)
      if (auto entry = details.bounds->variables.find(symbol);
          entry != details.bounds->variables.end())
        known = &entry->second;
    check.arrays.push_back(compareArrays(asArray(symbol, type, expected),
                                         asArray(symbol, type, after), known));
  }
}

/// Bit for bit, and with what the original kernel has changed for all that it
/// stores to. Only where that is not enough, it runs again.
Error KernelChecker::compareOutputs(const Runs &runs, KernelCheck &check) {
  Rounding rounding = findRounding(runs.which);
  check.roundingReasons = rounding.reasons;
  Details details;
  compareArraysOf(runs, details, check);
  compareVariables(runs, details, check);
  if (llvm::all_of(check.arrays, std::mem_fn(&ArrayComparison::isEqual)))
    return Error::success();
  bool hasStray = llvm::any_of(check.arrays, [](const ArrayComparison &array) {
    return array.strayWrites > 0;
  });
  if (hasStray && check.originalFaults.empty())
    if (Error error = findStores(runs.before, check).moveInto(details.stores))
      return error;
  if (!rounding.reasons.empty()) {
    if (Error error = boundErrors(runs.before, rounding.loose, check)
                          .moveInto(details.bounds))
      return error;
    check.boundsAreLost = executors->errors().isLost();
  }
  check.arrays.clear();
  compareArraysOf(runs, details, check);
  compareVariables(runs, details, check);
  return Error::success();
}
