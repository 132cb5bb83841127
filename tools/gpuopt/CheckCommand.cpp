//===- CheckCommand.cpp - gpuopt check ------------------------------------===//

#include "tools/gpuopt/CommandLine.h"
#include "tools/gpuopt/Outputs.h"
#include "tools/gpuopt/SearchOptions.h"
#include "tools/lib/check/Counterpart.h"
#include "tools/lib/check/SizedChecker.h"
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
/// kernel in `check`, or with several sizes in `checks` a list.
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

namespace {
/// Checks the kernels of a file one after the other.
class FileCheck {
public:
  /// `counterpart` may be null: the tuned kernels are checked then.
  FileCheck(const Compilation &compilation, const InputArgList &arguments,
            const CheckOptions &options, const Counterpart *counterpart)
      : compilation(compilation), arguments(arguments), options(options),
        counterpart(counterpart) {
    if (counterpart)
      executors = counterpart->executors(compilation, options);
  }

  /// One kernel at all sizes; what it says goes to `results`.
  bool check(const KernelInfo &kernel, json::Array &results);

private:
  bool fail(const KernelInfo &kernel, Error error, json::Array &results);

  const Compilation &compilation;
  const InputArgList &arguments;
  const CheckOptions &options;
  const Counterpart *counterpart;
  /// Of the counterpart; all kernels share them.
  std::shared_ptr<CheckExecutors> executors;
};
} // namespace

/// A kernel that was not checked keeps none of the others from being so.
bool FileCheck::fail(const KernelInfo &kernel, Error error,
                     json::Array &results) {
  std::string message = toString(std::move(error));
  printError(kernel.position, message);
  results.push_back(json::Object{{"passed", false}, {"error", message}});
  return false;
}

bool FileCheck::check(const KernelInfo &kernel, json::Array &results) {
  SizedChecker checker(compilation, kernel, options, executors);
  if (counterpart) {
    Expected<ComparedKernel> other = counterpart->compared(kernel);
    if (!other)
      return fail(kernel, other.takeError(), results);
    other->launch = {arguments.getLastArgValue(OPT_second_grid).str(),
                     arguments.getLastArgValue(OPT_second_block).str(),
                     arguments.getLastArgValue(OPT_second_shared_bytes).str()};
    checker.compareWith(std::move(*other));
  }
  raw_ostream &os = textOutput(arguments);
  checker.onChoice = [&](const ChosenRun &choice) {
    printChoice(kernel, choice, os);
  };
  checker.onCheck = [&](const ChosenRun &choice, const KernelCheck &check) {
    printCheck(check, os);
    json::Object result = makeReport(check);
    if (!choice.options.empty())
      result["chosen"] = choice.options;
    results.push_back(std::move(result));
  };
  bool isOne = options.runs.size() > 1 || !options.outputDir.empty();
  bool passed = true;
  for (const RunOptions &run : options.runs) {
    if (options.runs.size() > 1)
      os << sizeText(run) << '\n';
    Expected<bool> outcome =
        checker.check(run, isOne ? SizeWish::One : SizeWish::Several);
    passed &= outcome ? *outcome : fail(kernel, outcome.takeError(), results);
  }
  return passed;
}

/// A second file; null where none is given. False after a diagnostic.
static bool findCounterpart(const InputArgList &arguments,
                            const Compilation &compilation,
                            std::unique_ptr<Counterpart> &counterpart) {
  std::vector<std::string> files = arguments.getAllArgValues(OPT_INPUT);
  if (files.size() < 2)
    return true;
  counterpart =
      Counterpart::ofFile(files[1], compilation.options(),
                          arguments.getLastArgValue(OPT_second_kernel));
  return counterpart != nullptr;
}

/// Whether the kernels are such as the options want.
static int checkOptionsFor(const InputArgList &arguments,
                           const CheckOptions &options,
                           const Compilation &compilation) {
  bool isAsked =
      options.text == CheckText::Always || options.text == CheckText::Only;
  if (isAsked && compilation.target().getVendor() != Vendor::NVIDIA)
    return usageError("--from " + arguments.getLastArgValue(OPT_from) +
                      " is for NVIDIA's targets");
  return checkAgainstInput(arguments, compilation);
}

/// Of two kernels nothing is tuned, and nothing split into launches.
static void keepAsWritten(CompileOptions &options) {
  options.optimize = false;
  options.gridSync = GridSync::Cooperative;
}

int gpuopt::runCheck(const InputArgList &arguments) {
  std::optional<std::string> input = inputFile(arguments, /*most=*/2);
  if (!input)
    return kBadUsage;
  Expected<CompileOptions> options =
      compileOptions(arguments, /*forAllSizes=*/true);
  if (!options)
    return usageError(toString(options.takeError()));
  for (OptionID option : {OPT_second_grid, OPT_second_block,
                          OPT_second_shared_bytes, OPT_second_kernel})
    if (const opt::Arg *argument = arguments.getLastArg(option))
      if (StringRef(argument->getValue()).trim().empty())
        return usageError("option '" + argument->getSpelling() +
                          "' takes a value");
  bool isOfTwo = arguments.getAllArgValues(OPT_INPUT).size() == 2;
  if (isOfTwo)
    keepAsWritten(*options);
  if (isOfTwo && arguments.hasArg(OPT_from))
    return usageError("--from is for one file");
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
  if (int code = checkOptionsFor(arguments, *checks, *compilation))
    return code;
  if (!checks->outputDir.empty() && compilation->kernels().size() > 1)
    return usageError("--output-dir is for one kernel (--kernel NAME)");
  if (arguments.hasArg(OPT_explain))
    printExplanation(*compilation, textOutput(arguments));

  ProgressLine progress(errs());
  if (showsProgress(arguments))
    checks->progress = &progress;
  bool passed = compilation->leftOut().empty();
  std::vector<json::Array> results;
  std::unique_ptr<Counterpart> counterpart;
  if (!findCounterpart(arguments, *compilation, counterpart))
    return kBadInput;
  FileCheck file(*compilation, arguments, *checks, counterpart.get());
  for (const KernelInfo &kernel : compilation->kernels())
    passed &= file.check(kernel, results.emplace_back());

  StringRef reportPath = arguments.getLastArgValue(OPT_report);
  if (!reportPath.empty())
    if (Error error =
            writeReport(reportPath, *compilation, searches, results)) {
      printError(reportPath, std::move(error));
      return kBadInput;
    }
  return passed ? kDone : kBadInput;
}
