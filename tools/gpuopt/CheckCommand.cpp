//===- CheckCommand.cpp - gpuopt check ------------------------------------===//

#include "tools/gpuopt/CommandLine.h"
#include "tools/gpuopt/Outputs.h"
#include "tools/gpuopt/SearchOptions.h"
#include "tools/lib/compile/Diagnostics.h"
#include "tools/lib/report/Explain.h"
#include "tools/lib/report/Report.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace gpuopt;
using namespace llvm;
using opt::InputArgList;

/// "m=130,n=67": the sizes of a run.
static std::string sizeText(const RunOptions &run) {
  std::string text;
  raw_string_ostream stream(text);
  ListSeparator comma(",");
  for (const auto &[name, value] : run.sizes)
    stream << comma << name << '=' << toString(value);
  return text;
}

/// Writes the compilation's report with what was checked: one object for each
/// kernel in `check`, or with --sizes in `checks` a list.
static Error writeReport(StringRef path, const Compilation &compilation,
                         const std::vector<KernelSearch> &searches,
                         std::vector<json::Array> &results) {
  json::Array report = makeReport(compilation);
  addVariants(report, searches);
  for (auto [kernel, checks] : zip(report, results)) {
    if (checks.size() == 1)
      (*kernel.getAsObject())["check"] = std::move(checks.front());
    else
      (*kernel.getAsObject())["checks"] = std::move(checks);
  }
  std::string text = formatv("{0:2}\n", json::Value(std::move(report)));
  return writeOutput(path, text);
}

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

  Expected<SearchOptions> search = searchOptions(arguments);
  if (!search)
    return usageError(toString(search.takeError()));
  std::vector<KernelSearch> searches;
  std::unique_ptr<Compilation> compilation =
      compileWithSearch(*input, *options, *search, arguments, searches);
  if (!compilation)
    return kBadInput;
  if (Error error = checkSizeNames(arguments, compilation->kernels()))
    return usageError(toString(std::move(error)));
  if (!checks->outputDir.empty() && compilation->kernels().size() > 1)
    return usageError("--output-dir is for one kernel (--kernel NAME)");
  if (arguments.hasArg(OPT_explain))
    printExplanation(*compilation, textOutput(arguments));

  ProgressLine progress(errs());
  if (showsProgress(arguments))
    checks->progress = &progress;
  bool passed = true;
  std::vector<json::Array> results;
  for (const KernelInfo &kernel : compilation->kernels()) {
    KernelChecker checker(*compilation, kernel, *checks);
    json::Array &result = results.emplace_back();
    for (const RunOptions &run : checks->runs) {
      if (checks->runs.size() > 1)
        textOutput(arguments) << sizeText(run) << '\n';
      Expected<KernelCheck> check = checker.check(run);
      if (!check) {
        printError(kernel.position, check.takeError());
        return kBadInput;
      }
      printCheck(*check, textOutput(arguments));
      passed &= check->passed();
      result.push_back(makeReport(*check));
    }
  }

  StringRef reportPath = arguments.getLastArgValue(OPT_report);
  if (!reportPath.empty())
    if (Error error =
            writeReport(reportPath, *compilation, searches, results)) {
      printError(reportPath, std::move(error));
      return kBadInput;
    }
  return passed ? kDone : kBadInput;
}
