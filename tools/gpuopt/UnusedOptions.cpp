//===- UnusedOptions.cpp - options that would say nothing -----------------===//
//
// An option that is accepted and ignored lets a user believe what is not so.
// Which options a command has is in Options.td; here is which of them need, or
// exclude, another.
//
//===----------------------------------------------------------------------===//

#include "tools/gpuopt/CommandLine.h"
#include "tools/gpuopt/GeometryOption.h"
#include "tools/gpuopt/SearchOptions.h"
#include "tools/lib/compile/EmbeddedPTX.h"

using namespace gpuopt;
using namespace llvm;
using opt::InputArgList;

namespace {
/// Options that have no effect under a condition.
struct UnusedWhere {
  /// One of them, or all where it is empty.
  StringRef command;
  bool (*isUnused)(const InputArgList &);
  ArrayRef<OptionID> options;
  /// Follows the name of the option.
  StringRef reason;
};
} // namespace

static bool isWithoutSearch(const InputArgList &arguments) {
  return !wantsSearch(arguments);
}

static bool readsMLIR(const InputArgList &arguments) {
  StringRef kind = arguments.getLastArgValue(OPT_x);
  return kind.empty() ? arguments.getLastArgValue(OPT_INPUT).ends_with(".mlir")
                      : kind == "mlir";
}

/// The kind of an input, by -x or its ending.
static bool readsPTX(const InputArgList &arguments) {
  StringRef kind = arguments.getLastArgValue(OPT_x);
  if (!kind.empty())
    return kind == "ptx";
  return any_of(arguments.getAllArgValues(OPT_INPUT), [](StringRef file) {
    return file.ends_with(".ptx") || isBinaryInput(file);
  });
}

static bool readsTwoFiles(const InputArgList &arguments) {
  return arguments.getAllArgValues(OPT_INPUT).size() == 2;
}

static constexpr OptionID runOptions[] = {
    OPT_grid,       OPT_shared_bytes, OPT_seed,      OPT_input,
    OPT_same_array, OPT_time_limit,   OPT_max_steps, OPT_block};
static constexpr OptionID budgetOptions[] = {OPT_search_budget};
static constexpr OptionID designOptions[] = {OPT_design};
static constexpr OptionID passOptions[] = {OPT_design, OPT_search, OPT_geometry,
                                           OPT_plan};
static constexpr OptionID tuningOptions[] = {OPT_design, OPT_geometry,
                                             OPT_specialize, OPT_specialize_eq,
                                             OPT_reassociate};
static constexpr OptionID planOptions[] = {OPT_plan};
static constexpr OptionID measuringOptions[] = {OPT_trace, OPT_html,
                                                OPT_sample};
static constexpr OptionID recordedOptions[] = {
    OPT_trace,   OPT_sample, OPT_static_, OPT_optimized,
    OPT_compare, OPT_html,   OPT_size};
static constexpr OptionID specializeOptions[] = {OPT_specialize};
static constexpr OptionID sourceOptions[] = {OPT_clang_group, OPT_cuda_path,
                                             OPT_ffp_contract, OPT_ffast_math};

static constexpr OptionID ptxOptions[] = {OPT_signature, OPT_records};
static constexpr OptionID tunedOptions[] = {
    OPT_from,       OPT_design,      OPT_search,      OPT_geometry,
    OPT_specialize, OPT_no_opt,      OPT_reassociate, OPT_allow_fallback,
    OPT_grid_sync,  OPT_time_budget, OPT_plan};

static constexpr OptionID secondOptions[] = {OPT_second_kernel, OPT_second_grid,
                                             OPT_second_block,
                                             OPT_second_shared_bytes};

static const UnusedWhere unusedOptions[] = {
    {"compile", [](const InputArgList &all) { return !wantsMeasurement(all); },
     runOptions, "needs --geometry measured: nothing runs without it"},
    // `tune` searches without being asked.
    {"compile", isWithoutSearch, budgetOptions, "needs --search model"},
    {"check", isWithoutSearch, budgetOptions, "needs --search model"},
    {"", wantsSearch, designOptions,
     "cannot be combined with --search, which chooses the design"},
    {"",
     [](const InputArgList &all) {
       return wantsSearch(all) || all.hasArg(OPT_design);
     },
     planOptions, "cannot be combined with --search and --design"},
    {"", [](const InputArgList &all) { return all.hasArg(OPT_no_opt); },
     passOptions, "cannot be combined with --no-opt"},
    {"profile",
     [](const InputArgList &all) {
       return !all.hasArg(OPT_optimized, OPT_compare);
     },
     tuningOptions, "needs --optimized or --compare"},
    {"profile", [](const InputArgList &all) { return all.hasArg(OPT_static_); },
     measuringOptions, "shows what --static does not run"},
    {"profile", [](const InputArgList &all) { return all.hasArg(OPT_static_); },
     ArrayRef(runOptions).drop_back(),
     "is for a run, and --static runs nothing"},
    {"profile", [](const InputArgList &all) { return all.hasArg(OPT_records); },
     runOptions, "is for a run, and --records runs nothing"},
    {"profile", [](const InputArgList &all) { return all.hasArg(OPT_records); },
     recordedOptions, "cannot be combined with --records"},
    {"", [](const InputArgList &all) { return !all.hasArg(OPT_size); },
     specializeOptions, "needs --size"},
    {"", readsMLIR, sourceOptions, "is for source files, not for MLIR"},
    {"", [](const InputArgList &all) { return !readsPTX(all); }, ptxOptions,
     "is for PTX"},
    {"check", readsTwoFiles, tunedOptions,
     "is for an optimised kernel, and two files are compared as they are "
     "written"},
    {"check", [](const InputArgList &all) { return !readsTwoFiles(all); },
     secondOptions, "is for the kernel of a second file"},
};

/// Whether `command` has the option at all.
static Error checkCommand(StringRef command, const InputArgList &arguments) {
  for (const opt::Arg *argument : arguments) {
    const opt::Option &option = argument->getOption();
    bool isForAll =
        option.getKind() == opt::Option::InputClass || option.matches(OPT_help);
    if (!isForAll && !option.isRegisteredSC(command))
      return createStringError("'" + command + "' has no option '" +
                               argument->getSpelling() + "'");
  }
  return Error::success();
}

Error gpuopt::checkOptionsAreUsed(StringRef command,
                                  const InputArgList &arguments) {
  if (Error error = checkCommand(command, arguments))
    return error;
  for (const UnusedWhere &rule : unusedOptions) {
    bool isRuleFor = rule.command.empty() || rule.command == command;
    if (!isRuleFor || !rule.isUnused(arguments))
      continue;
    for (OptionID id : rule.options)
      if (const opt::Arg *argument = arguments.getLastArg(id))
        return createStringError(argument->getSpelling() + " " + rule.reason);
  }
  return Error::success();
}
