//===- AssistCommand.cpp - gpuopt assist ----------------------------------===//

#include "tools/gpuopt/CommandLine.h"
#include "tools/gpuopt/Outputs.h"
#include "tools/lib/assist/Assist.h"
#include "tools/lib/compile/Diagnostics.h"

using namespace gpuopt;
using namespace llvm;
using opt::InputArgList;

/// Reads a positive number, no larger than `most`, where there is one.
template <typename Number>
static Error readNumber(const InputArgList &arguments, OptionID id,
                        int64_t most, Number &number) {
  const opt::Arg *argument = arguments.getLastArg(id);
  int64_t value = 0;
  if (!argument)
    return Error::success();
  StringRef text = argument->getValue();
  if (text.getAsInteger(10, value) || value < 1 || value > most)
    return createStringError(argument->getSpelling() +
                             " takes a number from 1 to " + Twine(most) +
                             ", found '" + text + "'");
  number = value;
  return Error::success();
}

/// --skip-factor N or adaptive.
static Error readSkipFactor(const InputArgList &arguments,
                            AssistantOptions &program) {
  constexpr int64_t mostThreads = 1 << 20;
  if (arguments.getLastArgValue(OPT_skip_factor, "adaptive") == "adaptive")
    return Error::success();
  if (const opt::Arg *other =
          arguments.getLastArg(OPT_batch_size, OPT_threshold))
    return createStringError(other->getSpelling() +
                             " needs --skip-factor adaptive");
  return readNumber(arguments, OPT_skip_factor, mostThreads,
                    program.skipFactor);
}

static Error readFetch(const InputArgList &arguments,
                       AssistantOptions &program) {
  StringRef fetch = arguments.getLastArgValue(OPT_fetch, "prefetch");
  if (fetch != "prefetch" && fetch != "load")
    return createStringError("--fetch takes prefetch or load, found '" + fetch +
                             "'");
  program.loads = fetch == "load";
  return Error::success();
}

static Expected<AssistOptions> assistOptions(const InputArgList &arguments) {
  constexpr int64_t mostBlocks = 1 << 20, mostVisits = 64, mostBatches = 4096,
                    mostLineBytes = 4096;
  AssistOptions options;
  AssistantOptions &program = options.program;
  // That --block is one is what commands that run a kernel check, too.
  Expected<CheckOptions> run = checkOptions(arguments);
  if (!run)
    return run.takeError();
  options.block = run->runs.front().block;
  options.dynamicSharedBytes = run->runs.front().dynamicSharedBytes;
  if (Error error = readNumber(arguments, OPT_concurrent_blocks, mostBlocks,
                               options.concurrentBlocks))
    return error;
  if (Error error = readNumber(arguments, OPT_unroll_factor, mostVisits,
                               program.unrollFactor))
    return error;
  if (Error error =
          readNumber(arguments, OPT_batch_size, mostBatches, program.batchSize))
    return error;
  if (Error error =
          readNumber(arguments, OPT_threshold, mostBlocks, program.threshold))
    return error;
  if (Error error = readNumber(arguments, OPT_line_bytes, mostLineBytes,
                               options.lineBytes))
    return error;
  if (Error error = readSkipFactor(arguments, program))
    return error;
  if (Error error = readFetch(arguments, program))
    return error;
  return options;
}

int gpuopt::runAssist(const InputArgList &arguments) {
  std::optional<std::string> input = inputFile(arguments);
  if (!input)
    return kBadUsage;
  Expected<CompileOptions> options =
      compileOptions(arguments, /*forAllSizes=*/false);
  if (!options)
    return usageError(toString(options.takeError()));
  Expected<AssistOptions> wanted = assistOptions(arguments);
  if (!wanted)
    return usageError(toString(wanted.takeError()));
  std::unique_ptr<Compilation> compilation =
      Compilation::create(*input, *options);
  if (!compilation)
    return kBadInput;
  if (ExitCode code = checkAgainstInput(arguments, *compilation))
    return code;
  if (compilation->kernels().size() != 1)
    return usageError("assist is for one kernel (--kernel NAME)");
  const KernelInfo &kernel = compilation->kernels().front();
  Expected<std::string> program = makeAssistant(*compilation, kernel, *wanted);
  if (!program) {
    printError(kernel.position, program.takeError());
    return kBadInput;
  }
  StringRef output = arguments.getLastArgValue(OPT_o, "-");
  if (Error error = writeOutput(output, *program)) {
    printError(output, std::move(error));
    return kBadInput;
  }
  return kDone;
}
