//===- CommandLine.cpp - arguments of gpuopt ------------------------------===//

#include "tools/gpuopt/CommandLine.h"
#include "tools/gpuopt/Outputs.h"
#include "tools/lib/compile/Diagnostics.h"
#include "tools/lib/compile/Formats.h"
#include "tools/lib/launch/GivenExtents.h"
#include "tools/lib/launch/SizeExpressions.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/LineIterator.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace gpuopt;
using namespace llvm;
using namespace llvm::opt;

#define OPTTABLE_STR_TABLE_CODE
#include "tools/gpuopt/Options.inc"
#undef OPTTABLE_STR_TABLE_CODE

#define OPTTABLE_PREFIXES_TABLE_CODE
#include "tools/gpuopt/Options.inc"
#undef OPTTABLE_PREFIXES_TABLE_CODE

#define OPTTABLE_SUBCOMMAND_IDS_TABLE_CODE
#include "tools/gpuopt/Options.inc"
#undef OPTTABLE_SUBCOMMAND_IDS_TABLE_CODE

#define OPTTABLE_SUBCOMMANDS_CODE
#include "tools/gpuopt/Options.inc"
#undef OPTTABLE_SUBCOMMANDS_CODE

static constexpr opt::OptTable::Info optionInfos[] = {
#define OPTION(...) LLVM_CONSTRUCT_OPT_INFO(__VA_ARGS__),
#include "tools/gpuopt/Options.inc"
#undef OPTION
};

namespace {
class GpuoptOptTable : public opt::GenericOptTable {
public:
  GpuoptOptTable()
      : GenericOptTable(OptionStrTable, OptionPrefixesTable, optionInfos,
                        /*IgnoreCase=*/false, OptionSubCommands,
                        OptionSubCommandIDsTable) {}
};
} // namespace

const opt::OptTable &gpuopt::optionTable() {
  static const GpuoptOptTable table;
  return table;
}

int gpuopt::usageError(const Twine &message) {
  WithColor::error(errs() << "gpuopt: ") << message << '\n';
  errs() << "try 'gpuopt --help'\n";
  return kBadUsage;
}

std::optional<std::string> gpuopt::inputFile(const InputArgList &arguments,
                                             size_t most) {
  std::vector<std::string> files = arguments.getAllArgValues(OPT_INPUT);
  if (!files.empty() && files.size() <= most)
    return files.front() == "-" ? "<stdin>" : files.front();
  if (files.empty())
    usageError("no input file");
  else
    usageError(Twine("expected ") +
               (most == 1 ? "one input file" : "at most two input files") +
               ", found '" + files[0] + "' and '" + files[1] + "'" +
               (files.size() > 2 && most > 1 ? " and others" : ""));
  return std::nullopt;
}

/// Parses NAME=V,… of an option.
static Error
parseAssignments(StringRef list, StringRef option,
                 function_ref<Error(StringRef name, StringRef value)> assign) {
  SmallVector<StringRef> parts;
  list.split(parts, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef part : parts) {
    auto [name, value] = part.split('=');
    if (name.trim().empty() || value.trim().empty())
      return createStringError("--" + option + " takes NAME=VALUE, found '" +
                               part + "'");
    if (Error error = assign(name.trim(), value.trim()))
      return error;
  }
  return Error::success();
}

/// Adds NAME=V,… of all `lists` to `sizes`.
static Error addSizes(ArrayRef<std::string> lists, StringRef option,
                      NumberMap &sizes) {
  ExpressionMap expressions;
  StringSet<> given;
  auto assign = [&](StringRef name, StringRef text) -> Error {
    if (!given.insert(name).second)
      return createStringError("--" + option + " gives '" + name + "' twice");
    if (std::optional<Number> value = parseNumber(text))
      sizes[name.str()] = *value;
    else
      expressions[name.str()] = text.str();
    return Error::success();
  };
  for (StringRef list : lists)
    if (Error error = parseAssignments(list, option, assign))
      return error;
  if (Error error = evaluateSizes(expressions, sizes))
    return createStringError("--" + option + " " + toString(std::move(error)));
  return Error::success();
}

static Expected<NumberMap> parseSizes(const InputArgList &arguments,
                                      OptionID id, StringRef option) {
  NumberMap sizes;
  if (Error error = addSizes(arguments.getAllArgValues(id), option, sizes))
    return error;
  return sizes;
}

/// Gives `options` a run for each line of `path`, with the sizes that the line
/// adds to those of its only run.
static Error readRuns(StringRef path, CheckOptions &options) {
  auto file = MemoryBuffer::getFileOrSTDIN(path, /*IsText=*/true);
  if (!file)
    return createStringError("--sizes cannot read '" + path +
                             "': " + file.getError().message());
  RunOptions common = std::move(options.runs.front());
  options.runs.clear();
  for (line_iterator line(**file, /*SkipBlanks=*/true, '#'); !line.is_at_end();
       ++line) {
    RunOptions &run = options.runs.emplace_back(common);
    if (Error error = addSizes(line->trim().str(), "sizes", run.sizes))
      return createStringError(path + ":" + Twine(line.line_number()) + ": " +
                               toString(std::move(error)));
  }
  if (options.runs.empty())
    return createStringError("--sizes '" + path +
                             "' has no sizes to check at: one --size a line");
  return Error::success();
}

/// Parses X[,Y[,Z]]; all positive.
static Expected<std::optional<Dim3>> parseDim3(const InputArgList &arguments,
                                               OptionID id, StringRef option) {
  StringRef text = arguments.getLastArgValue(id);
  if (text.empty())
    return std::nullopt;
  SmallVector<StringRef> parts;
  text.split(parts, ',');
  Dim3 dim = {1, 1, 1};
  bool valid = parts.size() <= 3;
  for (size_t i = 0; valid && i < parts.size(); ++i)
    valid = !parts[i].trim().getAsInteger(10, dim[i]) && dim[i] > 0;
  if (!valid)
    return createStringError("--" + option +
                             " takes up to three positive numbers X,Y,Z, "
                             "found '" +
                             text + "'");
  return dim;
}

/// Takes what -x says of the input, and the text of standard input.
static Error readInput(const InputArgList &arguments, CompileOptions &options) {
  StringRef kind = arguments.getLastArgValue(OPT_x);
  options.inputKind = findInputKind(kind);
  if (!kind.empty() && !options.inputKind)
    return createStringError("-x takes cu, hip, cl, mlir or ptx, found '" +
                             kind + "'");
  if (arguments.getLastArgValue(OPT_INPUT) != "-")
    return Error::success();
  if (!options.inputKind)
    return createStringError(
        "standard input needs -x cu, hip, cl, mlir or ptx");
  auto text = MemoryBuffer::getSTDIN();
  if (!text)
    return createStringError("standard input cannot be read: " +
                             text.getError().message());
  options.text = (*text)->getBuffer().str();
  return Error::success();
}

/// Takes what Clang is told.
static Error readImport(const InputArgList &arguments, ImportOptions &options) {
  options.cudaPath = arguments.getLastArgValue(OPT_cuda_path).str();
  options.fpContract = arguments.getLastArgValue(OPT_ffp_contract).str();
  options.fastMath = arguments.hasArg(OPT_ffast_math);
  if (!options.fpContract.empty() &&
      !is_contained({"on", "off", "fast"}, options.fpContract))
    return createStringError("-ffp-contract takes on, off or fast, found '" +
                             options.fpContract + "'");
  for (const std::string &folder : arguments.getAllArgValues(OPT_I))
    if (!sys::fs::is_directory(folder))
      printWarning(SourcePosition(), "-I: no such folder: '" + folder + "'");
  for (const opt::Arg *argument : arguments.filtered(OPT_clang_group)) {
    opt::ArgStringList rendered;
    argument->render(arguments, rendered);
    for (const char *text : rendered)
      options.clangArguments.push_back(text);
  }
  return Error::success();
}

static Error readPlan(const InputArgList &arguments, CompileOptions &options) {
  const Arg *argument = arguments.getLastArg(OPT_plan);
  if (!argument)
    return Error::success();
  StringRef name = argument->getValue();
  options.plan = StringSwitch<std::optional<TilingPlan>>(name)
                     .Case("unified", TilingPlan::Unified)
                     .Case("share", TilingPlan::Share)
                     .Case("model", TilingPlan::Model)
                     .Default(std::nullopt);
  if (!options.plan)
    return createStringError("--plan takes unified, share or model, found '" +
                             name + "'");
  return Error::success();
}

Expected<CompileOptions> gpuopt::compileOptions(const InputArgList &arguments,
                                                bool forAllSizes) {
  CompileOptions options;
  if (Error error = readInput(arguments, options))
    return error;
  options.target = arguments.getLastArgValue(OPT_target, "sm_90").str();
  options.kernels = arguments.getAllArgValues(OPT_kernel);
  options.optimize = !arguments.hasArg(OPT_no_opt);
  options.signature = arguments.getLastArgValue(OPT_signature).str();
  Expected<Design> design =
      Design::parse(arguments.getLastArgValue(OPT_design));
  if (!design)
    return createStringError("--design: " + toString(design.takeError()));
  options.design = std::move(*design);
  options.strict = arguments.hasArg(OPT_strict);
  StringRef budget = arguments.getLastArgValue(OPT_time_budget);
  if (!budget.empty() &&
      (budget.getAsDouble(options.timeBudget) || !(options.timeBudget > 0)))
    return createStringError(
        "--time-budget takes a number of seconds, found '" + budget + "'");
  options.assumeNoalias = arguments.hasArg(OPT_assume_noalias);
  options.reassociate = arguments.hasArg(OPT_reassociate);
  if (Error error = readImport(arguments, options.import))
    return error;
  StringRef gridSync = arguments.getLastArgValue(OPT_grid_sync, "split");
  if (gridSync != "split" && gridSync != "cooperative")
    return createStringError("--grid-sync takes split or cooperative, found '" +
                             gridSync + "'");
  if (gridSync == "cooperative")
    options.gridSync = GridSync::Cooperative;
  if (Error error = readPlan(arguments, options))
    return error;
  Expected<NumberMap> sizes = parseSizes(arguments, OPT_size, "size");
  if (!sizes)
    return sizes.takeError();
  options.sizes = integersOf(*sizes);
  // Parameters of other types keep their place.
  auto specialize = [&](const NumberMap &values) {
    for (const auto &[name, value] : values)
      if (std::optional<int64_t> integer = toInteger(value))
        options.specialize[name] = *integer;
  };
  if (forAllSizes ? arguments.hasArg(OPT_specialize)
                  : !arguments.hasArg(OPT_no_specialize))
    specialize(*sizes);
  sizes = parseSizes(arguments, OPT_specialize_eq, "specialize");
  if (!sizes)
    return sizes.takeError();
  for (const auto &[name, value] : *sizes)
    if (!toInteger(value))
      return createStringError("--specialize=" + name +
                               " takes an integer, found '" + toString(value) +
                               "'");
  specialize(*sizes);
  return options;
}

static Error parseInputs(const InputArgList &arguments, CheckInputs &inputs) {
  StringRef text = arguments.getLastArgValue(OPT_inputs);
  if (text.empty())
    return Error::success();
  auto chosen = StringSwitch<std::optional<CheckInputs>>(text)
                    .Case("ordinary", CheckInputs::Ordinary)
                    .Case("extreme", CheckInputs::Extreme)
                    .Case("both", CheckInputs::Both)
                    .Default(std::nullopt);
  if (!chosen)
    return createStringError(
        "--inputs takes ordinary, extreme or both, found '" + text + "'");
  inputs = *chosen;
  return Error::success();
}

static Error parseText(const InputArgList &arguments, CheckOptions &options) {
  StringRef from = arguments.getLastArgValue(OPT_from);
  auto chosen = StringSwitch<std::optional<CheckText>>(from)
                    .Case("", CheckText::IfCheap)
                    .Case("llvm", CheckText::Never)
                    .Case("ptx", CheckText::Only)
                    .Case("both", CheckText::Always)
                    .Default(std::nullopt);
  if (!chosen)
    return createStringError("--from takes llvm, ptx or both, found '" + from +
                             "'");
  options.text = *chosen;
  options.textFile = arguments.getLastArgValue(OPT_text);
  return Error::success();
}

static Error parseLimits(const InputArgList &arguments, CheckOptions &options) {
  StringRef limit = arguments.getLastArgValue(OPT_time_limit);
  if (!limit.empty() &&
      (limit.getAsDouble(options.maxSeconds) || !(options.maxSeconds > 0)))
    return createStringError("--time-limit takes a number of seconds, found '" +
                             limit + "'");
  StringRef steps = arguments.getLastArgValue(OPT_max_steps);
  if (!steps.empty() &&
      (steps.getAsInteger(10, options.maxSteps) || !options.maxSteps))
    return createStringError("--max-steps takes a number of steps, found '" +
                             steps + "'");
  return Error::success();
}

Expected<CheckOptions> gpuopt::checkOptions(const InputArgList &arguments) {
  CheckOptions options;
  RunOptions &run = options.runs.emplace_back();
  Expected<NumberMap> sizes = parseSizes(arguments, OPT_size, "size");
  if (!sizes)
    return sizes.takeError();
  run.sizes = std::move(*sizes);

  auto grid = parseDim3(arguments, OPT_grid, "grid");
  if (!grid)
    return grid.takeError();
  run.grid = *grid;
  auto block = parseDim3(arguments, OPT_block, "block");
  if (!block)
    return block.takeError();
  run.block = *block;

  StringRef seed = arguments.getLastArgValue(OPT_seed, "1");
  if (seed.getAsInteger(0, run.seed))
    return createStringError("--seed takes a number, found '" + seed + "'");
  StringRef shared = arguments.getLastArgValue(OPT_shared_bytes, "0");
  if (shared.getAsInteger(0, run.dynamicSharedBytes) ||
      run.dynamicSharedBytes < 0)
    return createStringError("--shared-bytes takes a number of bytes, found '" +
                             shared + "'");

  auto addInput = [&](StringRef name, StringRef file) -> Error {
    if (!run.inputs.try_emplace(name.str(), file.str()).second)
      return createStringError("--input gives '" + name + "' twice");
    return Error::success();
  };
  for (StringRef list : arguments.getAllArgValues(OPT_input))
    if (Error error = parseAssignments(list, "input", addInput))
      return error;
  auto addSameArray = [&](StringRef name, StringRef other) -> Error {
    if (!run.sameArrays.try_emplace(name.str(), other.str()).second)
      return createStringError("--same-array gives '" + name + "' twice");
    return Error::success();
  };
  for (StringRef list : arguments.getAllArgValues(OPT_same_array))
    if (Error error = parseAssignments(list, "same-array", addSameArray))
      return error;
  if (Error error = parseLimits(arguments, options))
    return error;
  options.outputDir = arguments.getLastArgValue(OPT_output_dir).str();
  options.detectRaces = !arguments.hasArg(OPT_no_races);
  options.allowFallback = arguments.hasArg(OPT_allow_fallback);
  if (Error error = parseInputs(arguments, options.inputs))
    return error;
  if (Error error = parseText(arguments, options))
    return error;
  if (const opt::Arg *list = arguments.getLastArg(OPT_sizes))
    if (Error error = readRuns(list->getValue(), options))
      return error;
  if (options.runs.size() > 1 && !options.outputDir.empty())
    return createStringError("--output-dir is for one size, --sizes has " +
                             Twine(options.runs.size()));
  return options;
}

/// Fails where --size names what no kernel has.
static Error checkSizeNames(const InputArgList &arguments,
                            ArrayRef<KernelInfo> kernels) {
  Expected<NumberMap> sizes = parseSizes(arguments, OPT_size, "size");
  if (!sizes)
    return sizes.takeError();
  Expected<NumberMap> specialized =
      parseSizes(arguments, OPT_specialize_eq, "specialize");
  if (!specialized)
    return specialized.takeError();
  sizes->insert(specialized->begin(), specialized->end());
  for (const auto &entry : *sizes) {
    auto isMeant = [&](const KernelParameter &parameter) {
      return parameter.name == entry.first ||
             any_of(parameter.members, [&](const StructureMember &member) {
               return isNumber(member) &&
                      memberName(parameter, member) == entry.first;
             });
    };
    auto hasParameter = [&](const KernelInfo &kernel) {
      return any_of(kernel.parameters, isMeant);
    };
    if (none_of(kernels, hasParameter))
      return createStringError("--size names '" + entry.first +
                               "', which is no parameter of " +
                               kernels.front().displayName);
  }
  return Error::success();
}

/// Whether --size gives values that can be; reports it where not.
static bool canHaveSizes(const InputArgList &arguments,
                         ArrayRef<KernelInfo> kernels) {
  Expected<NumberMap> sizes = parseSizes(arguments, OPT_size, "size");
  // Whoever reads the options says what is wrong with them.
  if (!sizes) {
    consumeError(sizes.takeError());
    return true;
  }
  for (const KernelInfo &kernel : kernels) {
    Error error = checkSizeValues(kernel, *sizes);
    if (!error)
      error = checkExtents(kernel, *sizes);
    if (!error)
      continue;
    printError(kernel.position, std::move(error));
    return false;
  }
  return true;
}

ExitCode gpuopt::checkAgainstInput(const InputArgList &arguments,
                                   const Compilation &compilation) {
  Error error = checkOutputs(arguments, compilation.files());
  if (!error)
    error = checkSizeNames(arguments, compilation.kernels());
  if (error) {
    usageError(toString(std::move(error)));
    return kBadUsage;
  }
  return canHaveSizes(arguments, compilation.kernels()) ? kDone : kBadInput;
}

raw_ostream &gpuopt::textOutput(const InputArgList &arguments) {
  bool isTaken = arguments.getLastArgValue(OPT_json) == "-" ||
                 arguments.getLastArgValue(OPT_report) == "-";
  return isTaken ? errs() : outs();
}

bool gpuopt::writeJSON(const InputArgList &arguments, json::Array report) {
  StringRef path = arguments.getLastArgValue(OPT_json);
  if (path.empty())
    return true;
  Error error = writeOutput(
      path, formatv("{0:2}\n", json::Value(std::move(report))).str());
  if (!error)
    return true;
  printError(path, std::move(error));
  return false;
}

bool gpuopt::showsProgress(const InputArgList &arguments) {
  return arguments.hasArg(OPT_progress) || errs().is_displayed();
}
