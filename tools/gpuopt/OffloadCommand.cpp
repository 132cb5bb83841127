//===- OffloadCommand.cpp - gpuopt offload --------------------------------===//

#include "conversion/ImportSource/ReadSource.h"
#include "conversion/Offload/OffloadProgram.h"
#include "tools/gpuopt/CommandLine.h"
#include "tools/gpuopt/OffloadProfile.h"
#include "tools/gpuopt/Outputs.h"
#include "tools/lib/compile/Diagnostics.h"

#include "llvm/ADT/StringSwitch.h"

using namespace gpuopt;
using namespace gpuopt::offload;
using namespace llvm;

/// The options of the command line; nothing after a usage error.
static std::optional<OffloadOptions>
offloadOptions(const opt::InputArgList &arguments) {
  OffloadOptions options;
  StringRef name = arguments.getLastArgValue(OPT_dialect, "omp");
  auto dialect = StringSwitch<std::optional<Dialect>>(name)
                     .Case("omp", Dialect::OpenMP)
                     .Case("acc", Dialect::OpenACC)
                     .Case("leo", Dialect::LEO)
                     .Default(std::nullopt);
  if (!dialect) {
    usageError("--dialect is '" + name + "', expected 'omp', 'acc' or 'leo'");
    return std::nullopt;
  }
  options.dialect = *dialect;
  options.onlyLowers = arguments.hasArg(OPT_optimize_only);
  options.aligns = arguments.hasArg(OPT_align);
  options.trustsConditions = arguments.hasArg(OPT_trust_conditions);
  options.movesDeclarations = arguments.hasArg(OPT_move_declarations);
  options.keeps = !arguments.hasArg(OPT_no_keep);
  options.regions.hoists = !arguments.hasArg(OPT_no_hoist);
  options.regions.reuses = !arguments.hasArg(OPT_no_reuse);
  if (arguments.hasArg(OPT_profile_with) &&
      !arguments.hasArg(OPT_profile_launches)) {
    usageError("--profile-with needs --profile");
    return std::nullopt;
  }
  if (options.aligns &&
      !StringRef(arguments.getLastArgValue(OPT_INPUT)).ends_with(".c")) {
    usageError("--align is for C");
    return std::nullopt;
  }
  for (const opt::Arg *argument : arguments.filtered(OPT_clang_group)) {
    opt::ArgStringList rendered;
    argument->render(arguments, rendered);
    options.clangArguments.insert(options.clangArguments.end(),
                                  rendered.begin(), rendered.end());
  }
  return options;
}

int gpuopt::runOffload(const opt::InputArgList &arguments) {
  std::optional<std::string> input = inputFile(arguments);
  std::optional<OffloadOptions> options = offloadOptions(arguments);
  if (!input || !options)
    return kBadUsage;
  // Says what is no source file at all.
  if (failed(readSource(*input, std::nullopt)))
    return kBadInput;
  if (const opt::Arg *profile = arguments.getLastArg(OPT_profile_launches)) {
    StringRef with = arguments.getLastArgValue(OPT_profile_with);
    if (Error error = profileOffload(*input, {profile->getValue(), with.str()},
                                     *options)) {
      // What is wrong with the program has been said.
      if (std::string message = toString(std::move(error)); !message.empty())
        printError(*input, createStringError("no profile: " + message));
      return kBadInput;
    }
  }
  auto program = offloadProgram(*input, *options);
  if (failed(program))
    return kBadInput;
  StringRef output = arguments.getLastArgValue(OPT_o, "-");
  if (Error error = writeOutput(output, program->text)) {
    printError(output, std::move(error));
    return kBadInput;
  }
  errs() << program->offloaded << " of "
         << program->offloaded + program->declined
         << " parallel loops offloaded";
  if (program->forAuthor)
    errs() << "; for " << program->forAuthor
           << " the author can say what the device needs";
  if (program->narrowed + program->kept)
    errs() << "; " << program->narrowed << " of "
           << program->narrowed + program->kept
           << " that the program offloads itself bring less";
  errs() << "\n";
  return kDone;
}
