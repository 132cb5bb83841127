//===- CheckText.cpp - the text that the back end writes ------------------===//
//
// The tuned kernel is checked as it is before LLVM's back end: nothing is fused
// then, and results are equal bit for bit. What is shipped is what the back end
// makes of it. It runs as well, with the same inputs.
//
//===----------------------------------------------------------------------===//

#include "tools/lib/check/Check.h"
#include "tools/lib/launch/RunLimits.h"

#include "llvm/Support/SaveAndRestore.h"

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
  auto isCooperative = [](const KernelLaunch &launch) {
    return launch.isCooperative;
  };
  if (llvm::any_of(check.tunedLaunches, isCooperative))
    return "its blocks wait for each other, and run one after the other here";
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
Expected<KernelCheck> KernelChecker::checkAs(CheckExecutors::Kernels form,
                                             const Problem &before,
                                             const Problem &original,
                                             const KernelCheck &check) {
  llvm::SaveAndRestore restored(compared, form);
  KernelCheck text;
  text.kernel = check.kernel;
  text.comparedName = "PTX";
  text.originalLaunch = check.originalLaunch;
  text.tunedLaunches = check.tunedLaunches;
  text.isWithoutFusing = form == CheckExecutors::TextWithoutFusing;
  if (Error error = runAndCompare(before, original, text).takeError())
    return std::move(error);
  return text;
}

/// Products and sums that the back end has fused are within a bound. Where none
/// can be given, as where they decide on a branch, the same kernel is run as
/// the back end makes it without fusing. So it is at once with extreme inputs:
/// a product may overflow that a fused one does not.
Error KernelChecker::checkText(const Problem &before, const Problem &original,
                               bool isOfExtremes, KernelCheck &check) {
  // What is not defined, such as conversions of numbers that are too large and
  // shifts by too much, is otherwise on a GPU: it is for who asks for it.
  if (isOfExtremes && options.text != CheckText::Always)
    return Error::success();
  if (std::optional<std::string> reason = skipsText(check)) {
    check.textSkipped = *reason;
    return Error::success();
  }
  llvm::SmallVector<CheckExecutors::Kernels, 2> forms;
  bool mayBeFused = executors->mayBeFused(CheckExecutors::Text);
  if (!mayBeFused || !isOfExtremes)
    forms.push_back(CheckExecutors::Text);
  if (mayBeFused)
    forms.push_back(CheckExecutors::TextWithoutFusing);
  for (CheckExecutors::Kernels form : forms) {
    if (Error error = makeText(form)) {
      if (options.text == CheckText::Always)
        return error;
      check.textSkipped = toString(std::move(error));
      return Error::success();
    }
    Expected<KernelCheck> text = checkAs(form, before, original, check);
    if (!text)
      return text.takeError();
    if (wasCutShort(text->originalFaults) && !text->wasInterrupted()) {
      check.textSkipped = "it takes too long to follow the rounding errors";
      return Error::success();
    }
    bool isLast = form == forms.back();
    // What ends a loop may be rounded in another way, too, or what a fault
    // depends on; numbers that are off by a rounding lead no right kernel
    // astray.
    bool mayBeAstray = text->boundsAreLost || wasCutShort(text->tunedFaults);
    bool isOpen = text->tunedFaults.empty()
                      ? hasNoBound(*text)
                      : !isLast && mayBeAstray && !text->wasInterrupted();
    if (!isOpen) {
      check.asText.push_back(std::move(*text));
      return Error::success();
    }
  }
  check.textHasNoBound = true;
  check.textSkipped = "results differ by what no bound can be given for";
  return Error::success();
}
