//===- CheckCommand.cpp - gpuopt check ------------------------------------===//

#include "tools/gpuopt/CommandLine.h"
#include "tools/lib/Diagnostics.h"
#include "tools/lib/Explain.h"
#include "tools/lib/Report.h"

#include "llvm/Support/raw_ostream.h"

using namespace gpuopt;
using namespace llvm;
using opt::InputArgList;

int gpuopt::runCheck(const InputArgList &arguments) {
  std::optional<std::string> input = inputFile(arguments);
  if (!input)
    return kBadUsage;
  Expected<CompileOptions> options =
      compileOptions(arguments, /*forAllSizes=*/true);
  if (!options)
    return usageError(toString(options.takeError()));
  Expected<CheckOptions> checks = checkOptions(arguments);
  if (!checks)
    return usageError(toString(checks.takeError()));

  std::unique_ptr<Compilation> compilation =
      Compilation::create(*input, *options);
  if (!compilation)
    return kBadInput;
  if (Error error = checkSizeNames(arguments, compilation->kernels()))
    return usageError(toString(std::move(error)));
  if (arguments.hasArg(OPT_explain))
    printExplanation(*compilation, outs());

  bool passed = true;
  json::Array report = makeReport(*compilation);
  for (auto [index, kernel] : enumerate(compilation->kernels())) {
    Expected<KernelCheck> check = checkKernel(*compilation, kernel, *checks);
    if (!check) {
      printError(kernel.position, toString(check.takeError()));
      return kBadInput;
    }
    printCheck(*check, outs());
    passed &= check->passed();
    (*report[index].getAsObject())["check"] = makeReport(*check);
  }

  StringRef reportPath = arguments.getLastArgValue(OPT_report);
  if (!reportPath.empty()) {
    std::string text = formatv("{0:2}\n", json::Value(std::move(report)));
    if (Error error = writeOutput(reportPath, text)) {
      printError(reportPath, std::move(error));
      return kBadInput;
    }
  }
  return passed ? kDone : kBadInput;
}
