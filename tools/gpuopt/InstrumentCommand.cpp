//===- InstrumentCommand.cpp - gpuopt instrument --------------------------===//

#include "conversion/ImportPTX/TracePoints.h"
#include "conversion/ImportSource/ReadSource.h"
#include "conversion/PTX/Parser.h"
#include "tools/gpuopt/CommandLine.h"
#include "tools/gpuopt/Outputs.h"
#include "tools/lib/compile/Diagnostics.h"

#include "llvm/ADT/STLExtras.h"

using namespace gpuopt;
using namespace llvm;

/// The first of `wanted` that `module` has no kernel for; empty for none.
static std::string findMissing(const ptx::SourceModule &module,
                               ArrayRef<std::string> wanted) {
  for (const std::string &name : wanted)
    if (none_of(module.functions, [&](const ptx::SourceFunction &function) {
          return function.isKernel && function.isDefined &&
                 function.name == name;
        }))
      return name;
  return "";
}

int gpuopt::runInstrument(const opt::InputArgList &arguments) {
  std::optional<std::string> input = inputFile(arguments);
  if (!input)
    return kBadUsage;
  auto buffer = readSource(*input, std::nullopt);
  if (failed(buffer))
    return kBadInput;
  StringRef text = (*buffer)->getBuffer();
  ptx::SourceModule module;
  ptx::Problems problems;
  if (!ptx::parseModule(text, module, problems)) {
    printError({*input, problems.get().at.line, problems.get().at.column},
               problems.get().message);
    return kBadInput;
  }
  std::vector<std::string> wanted = arguments.getAllArgValues(OPT_kernel);
  if (std::string missing = findMissing(module, wanted); !missing.empty()) {
    printError(SourcePosition{*input, 0, 0},
               "no kernel '" + missing + "' in this file");
    return kBadInput;
  }
  auto isWanted = [&](const ptx::SourceFunction &function) {
    return wanted.empty() || is_contained(wanted, function.name);
  };
  if (auto wrong = ptx::findWrong(module, *input, isWanted)) {
    printError({*input, wrong->at.line, wrong->at.column}, wrong->message);
    return kBadInput;
  }
  Expected<std::string> instrumented = ptx::instrument(text, module, isWanted);
  if (!instrumented) {
    printError(*input, instrumented.takeError());
    return kBadInput;
  }
  StringRef output = arguments.getLastArgValue(OPT_o, "-");
  if (Error error = writeOutput(output, *instrumented)) {
    printError(output, std::move(error));
    return kBadInput;
  }
  return kDone;
}
