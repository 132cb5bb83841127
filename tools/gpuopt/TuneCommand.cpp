//===- TuneCommand.cpp - gpuopt tune --------------------------------------===//

#include "tools/gpuopt/CommandLine.h"
#include "tools/gpuopt/SearchOptions.h"
#include "tools/lib/compile/Diagnostics.h"

#include "llvm/Support/raw_ostream.h"

using namespace gpuopt;
using namespace llvm;
using opt::InputArgList;

int gpuopt::runTune(const InputArgList &arguments) {
  std::optional<std::string> input = inputFile(arguments);
  if (!input)
    return kBadUsage;
  Expected<CompileOptions> options =
      compileOptions(arguments, /*forAllSizes=*/false);
  if (!options)
    return usageError(toString(options.takeError()));
  Expected<SearchOptions> search = searchOptions(arguments);
  if (!search)
    return usageError(toString(search.takeError()));

  std::unique_ptr<Compilation> compilation =
      Compilation::create(*input, *options);
  if (!compilation)
    return kBadInput;
  if (ExitCode code = checkAgainstInput(arguments, *compilation))
    return code;

  json::Array report;
  bool isFirst = true;
  for (const auto &[kernel, result] :
       searchKernels(*compilation, *search, arguments)) {
    if (!isFirst)
      textOutput(arguments) << '\n';
    isFirst = false;
    printTable(result, kernel, compilation->target(), textOutput(arguments));
    report.push_back(
        json::Object{{"kernel", kernel.displayName},
                     {"symbol", kernel.symbol},
                     {"target", compilation->target().getTargetName()},
                     {"items", json::Array{result.items[0], result.items[1],
                                           result.items[2]}},
                     {"assumptions", json::Array(result.assumptions)},
                     {"space", result.spaceSize},
                     {"partial", result.isPartial},
                     {"reason", result.reason},
                     {"variants", toJSON(result)}});
  }
  if (!writeJSON(arguments, std::move(report)))
    return kBadInput;
  return kDone;
}
