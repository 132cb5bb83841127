//===- SanitizeCommand.cpp - gpuopt sanitize ------------------------------===//

#include "tools/gpuopt/CommandLine.h"
#include "tools/lib/check/Sanitize.h"
#include "tools/lib/compile/Diagnostics.h"
#include "tools/lib/launch/ChooseSizes.h"

#include "llvm/Support/raw_ostream.h"

using namespace gpuopt;
using namespace llvm;

int gpuopt::runSanitize(const opt::InputArgList &arguments) {
  std::optional<std::string> input = inputFile(arguments);
  if (!input)
    return kBadUsage;
  Expected<CompileOptions> options =
      compileOptions(arguments, /*forAllSizes=*/true);
  if (!options)
    return usageError(toString(options.takeError()));
  options->optimize = false;
  Expected<CheckOptions> run = checkOptions(arguments);
  if (!run)
    return usageError(toString(run.takeError()));
  std::unique_ptr<Compilation> compilation =
      Compilation::create(*input, *options);
  if (!compilation)
    return kBadInput;
  if (ExitCode code = checkAgainstInput(arguments, *compilation))
    return code;
  ProgressLine line(errs());

  bool isClean = compilation->leftOut().empty();
  // One that cannot be run keeps none of the others from being so.
  auto fail = [&](const KernelInfo &kernel, Error error) {
    printError(kernel.position, std::move(error));
    isClean = false;
  };
  json::Array report;
  for (const KernelInfo &kernel : compilation->kernels()) {
    auto chosen =
        chooseSizes(*compilation, kernel, run->runs.front(), SizeWish::One);
    if (!chosen) {
      fail(kernel, chosen.takeError());
      continue;
    }
    const ChosenRun &choice = chosen->front();
    printChoice(kernel, choice, textOutput(arguments));
    if (!choice.options.empty())
      textOutput(arguments)
          << "  sizes are chosen so that it runs clean where it can, and "
             "arrays "
             "as large as what it accesses; --size looks elsewhere\n";
    Expected<KernelSanity> sanity =
        sanitizeKernel(*compilation, kernel, choice.run,
                       showsProgress(arguments) ? &line : nullptr,
                       run->maxSeconds, run->maxSteps);
    if (!sanity) {
      fail(kernel, sanity.takeError());
      continue;
    }
    printSanity(*sanity, textOutput(arguments));
    isClean &= sanity->faultCount == 0;
    report.push_back(makeReport(*sanity));
  }
  if (report.empty() || !writeJSON(arguments, std::move(report)))
    return kBadInput;
  return isClean ? kDone : kBadInput;
}
