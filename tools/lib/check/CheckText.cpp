//===- CheckText.cpp - the text that the back end writes ------------------===//
//
// The tuned kernel is checked as it is before LLVM's back end: nothing is fused
// then, and results are equal bit for bit. What is shipped is what the back end
// makes of it. It runs as well, with the same inputs.
//
//===----------------------------------------------------------------------===//

#include "tools/lib/check/Check.h"
#include "tools/lib/launch/RunLimits.h"

using namespace gpuopt;
using llvm::Error;
using llvm::Expected;

/// Why the text is not run behind `check`; empty where that goes without
/// saying. Nothing where it is run.
std::optional<std::string>
KernelChecker::skipsText(const KernelCheck &check) const {
  bool isTuned = counterpart.symbol.empty() && !check.usedFallback();
  if (options.text == CheckText::Never || !isTuned ||
      compilation.target().getVendor() != Vendor::NVIDIA ||
      check.ownVerdict() != CheckVerdict::Passed)
    return "";
  // Accesses of text are known by their lines at best, not as those of the
  // source that race.
  if (check.originalRaces)
    return "the source races";
  std::optional<std::string> expense = check.expense();
  if (options.text == CheckText::IfCheap && expense)
    return *expense + " (--from both)";
  return std::nullopt;
}

/// Whether nobody can tell if what differs may.
static bool hasNoBound(const KernelCheck &check) {
  bool isOnlyUnbounded =
      llvm::all_of(check.arrays, [](const ArrayComparison &array) {
        return array.mismatches + array.strayWrites == 0;
      });
  return !check.passed() && (check.boundsAreLost || isOnlyUnbounded);
}

/// Makes the executor of `form`; the same error each time.
Error KernelChecker::makeText(CheckExecutors::Kernels form) {
  std::string &failure = textFailures[form];
  if (failure.empty())
    if (Error error = executors->get(form).takeError())
      failure = toString(std::move(error));
  return failure.empty() ? Error::success() : llvm::createStringError(failure);
}

/// Runs the kernel in `form` as `check` says of the tuned one.
Error KernelChecker::checkAs(CheckExecutors::Kernels form,
                             const Problem &before, const Problem &original,
                             const KernelCheck &check, TextOutcome &outcome) {
  KernelCheck &text = outcome.check.emplace();
  text.kernel = check.kernel;
  text.comparedName = "PTX";
  text.originalLaunch = check.originalLaunch;
  text.tunedLaunches = check.tunedLaunches;
  text.isWithoutFusing = form == CheckExecutors::TextWithoutFusing;
  Expected<Problem> after = runAndCompare(form, before, original, text);
  if (!after)
    return after.takeError();
  outcome.after.emplace(std::move(*after));
  return Error::success();
}

/// Products and sums that the back end has fused are within a bound. Where none
/// can be given, as where they decide on a branch, the same kernel is run as
/// the back end makes it without fusing. So it is at once with extreme inputs:
/// a product may overflow that a fused one does not.
Expected<KernelChecker::TextOutcome>
KernelChecker::runText(const Problem &before, const Problem &original,
                       bool isOfExtremes, const KernelCheck &check) {
  TextOutcome outcome;
  for (CheckExecutors::Kernels form :
       {CheckExecutors::Text, CheckExecutors::TextWithoutFusing}) {
    if (Error error = makeText(form)) {
      outcome.problem = toString(std::move(error));
      outcome.isMissing = true;
      return outcome;
    }
    // Known of the text, once there is one.
    bool isLast = form == CheckExecutors::TextWithoutFusing ||
                  !executors->mayBeFused(kernel.symbol, form);
    if (isOfExtremes && !isLast)
      continue;
    if (Error error = checkAs(form, before, original, check, outcome))
      return std::move(error);
    const KernelCheck &ran = *outcome.check;
    if (wasCutShort(ran.originalFaults) && !ran.wasInterrupted()) {
      outcome.problem = "it takes too long to follow the rounding errors";
      return outcome;
    }
    // What ends a loop may be rounded in another way, too, or what a fault
    // depends on; numbers that are off by a rounding lead no right kernel
    // astray.
    bool mayBeAstray = ran.boundsAreLost || wasCutShort(ran.tunedFaults);
    bool isOpen = ran.tunedFaults.empty()
                      ? hasNoBound(ran)
                      : !isLast && mayBeAstray && !ran.wasInterrupted();
    if (!isOpen)
      return outcome;
    if (isLast)
      break;
  }
  outcome.hasNoBound = true;
  outcome.problem = "results differ by what no bound can be given for";
  return outcome;
}

/// Behind the tuned kernel, which has passed `check`.
Error KernelChecker::checkText(const Problem &before, const Problem &original,
                               bool isOfExtremes, KernelCheck &check) {
  if (std::optional<std::string> reason = skipsText(check)) {
    check.textSkipped = *reason;
    return Error::success();
  }
  Expected<TextOutcome> outcome =
      runText(before, original, isOfExtremes, check);
  if (!outcome)
    return outcome.takeError();
  if (outcome->isMissing && options.text == CheckText::Always)
    return llvm::createStringError(outcome->problem);
  check.textHasNoBound = outcome->hasNoBound;
  check.textSkipped = outcome->problem;
  if (outcome->problem.empty())
    check.asText.push_back(std::move(*outcome->check));
  return Error::success();
}

/// In the place of the tuned kernel, in `check`: what cannot be told is no
/// success. Returns what the text leaves.
Expected<Problem> KernelChecker::checkTextAlone(const Problem &before,
                                                const Problem &original,
                                                bool isOfExtremes,
                                                KernelCheck &check) {
  Expected<TextOutcome> outcome =
      runText(before, original, isOfExtremes, check);
  if (!outcome)
    return outcome.takeError();
  if (!outcome->check)
    return llvm::createStringError(outcome->problem);
  KernelCheck &text = *outcome->check;
  llvm::append_range(check.originalFaults, text.originalFaults);
  text.originalFaults = std::move(check.originalFaults);
  text.madeUpIntegers = std::move(check.madeUpIntegers);
  text.allowsFallback = check.allowsFallback;
  text.originalBytes = check.originalBytes;
  text.originalSectors = check.originalSectors;
  text.originalDRAM = check.originalDRAM;
  text.skippedCounts |= check.skippedCounts;
  check = std::move(text);
  return std::move(*outcome->after);
}
