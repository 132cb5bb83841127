//===- CommandLine.h - arguments of gpuopt ----------------------*- C++ -*-===//

#ifndef TOOLS_GPUOPT_COMMANDLINE_H
#define TOOLS_GPUOPT_COMMANDLINE_H

#include "tools/lib/check/Check.h"
#include "tools/lib/compile/Compiler.h"

#include "llvm/Option/ArgList.h"
#include "llvm/Option/OptTable.h"
#include "llvm/Support/JSON.h"

namespace gpuopt {

/// Exit codes (a contract): 0 done, 1 wrong input, 2 wrong usage.
enum ExitCode { kDone = 0, kBadInput = 1, kBadUsage = 2 };

/// Identifiers of Options.td.
enum OptionID {
  OPT_INVALID = 0,
#define OPTION(...) LLVM_MAKE_OPT_ID(__VA_ARGS__),
#include "tools/gpuopt/Options.inc"
#undef OPTION
};

/// The table made from Options.td.
const llvm::opt::OptTable &optionTable();

/// Prints `message` and where to find help; returns kBadUsage.
int usageError(const llvm::Twine &message);

/// The first input file of a command; reports wrong usage and returns nothing
/// where there is none or more than `most`. Standard input is "<stdin>".
std::optional<std::string> inputFile(const llvm::opt::InputArgList &arguments,
                                     size_t most = 1);

/// Fails where an option would have no effect.
llvm::Error checkOptionsAreUsed(llvm::StringRef command,
                                const llvm::opt::InputArgList &arguments);

/// The options that all commands share, with the text of standard input where
/// that is the input. `forAllSizes` tells whether --size
/// alone leaves kernels general.
llvm::Expected<CompileOptions>
compileOptions(const llvm::opt::InputArgList &arguments, bool forAllSizes);

/// The options of commands that run a kernel.
llvm::Expected<CheckOptions>
checkOptions(const llvm::opt::InputArgList &arguments);

/// Whether the options fit what was read of the input: --size names parameters
/// and gives them values of their types, and arrays sizes that can be, and no
/// output would replace a file that the input includes. Says what does not.
/// Every command asks, before it writes anything.
ExitCode checkAgainstInput(const llvm::opt::InputArgList &arguments,
                           const Compilation &compilation);

/// Where text for a person goes: standard output, or standard error where JSON
/// goes there.
llvm::raw_ostream &textOutput(const llvm::opt::InputArgList &arguments);

/// Writes `report` where --json names a file; reports a failure and returns
/// false.
bool writeJSON(const llvm::opt::InputArgList &arguments,
               llvm::json::Array report);

/// Whether to show progress: on a terminal, or where it is asked for.
bool showsProgress(const llvm::opt::InputArgList &arguments);

int runAssist(const llvm::opt::InputArgList &arguments);
int runCompile(const llvm::opt::InputArgList &arguments);
int runProfile(const llvm::opt::InputArgList &arguments);
int runSanitize(const llvm::opt::InputArgList &arguments);
int runCheck(const llvm::opt::InputArgList &arguments);
int runTune(const llvm::opt::InputArgList &arguments);
int runTargets(const llvm::opt::InputArgList &arguments);
int runCache(const llvm::opt::InputArgList &arguments);
int runRun(const llvm::opt::InputArgList &arguments);
int runInspect(const llvm::opt::InputArgList &arguments);
int runInstrument(const llvm::opt::InputArgList &arguments);
int runReproduce(const llvm::opt::InputArgList &arguments);
int runOffload(const llvm::opt::InputArgList &arguments);
int runCalibrate(const llvm::opt::InputArgList &arguments);

} // namespace gpuopt

#endif // TOOLS_GPUOPT_COMMANDLINE_H
