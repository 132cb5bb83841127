//===- gpuopt.cpp - the compiler driver -----------------------------------===//
//
//   gpuopt compile mm.cu --target sm_90 -o mm.ptx
//   gpuopt check mm.cu --target sm_90
//
//===----------------------------------------------------------------------===//

#include "conversion/ImportSource/Colors.h"
#include "conversion/ImportSource/LargeStack.h"
#include "dialects/GPUOpt/KnownTargets.h"
#include "runtime/Interrupt.h"
#include "tools/gpuopt/CommandLine.h"
#include "tools/gpuopt/Outputs.h"
#include "tools/gpuopt/Version.inc"
#include "tools/lib/process/StandardOutput.h"
#include "tools/lib/program/CompilerDriver.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"

#include <atomic>
#include <csignal>
#include <ctime>
#include <unistd.h>

using namespace gpuopt;
using namespace llvm;

using Command = int (*)(const opt::InputArgList &);

static constexpr StringRef kOverview =
    "gpuopt makes naive GPU kernels fast, shows what it did, and proves the "
    "result equal.\n"
    "FILE is CUDA (.cu), HIP (.hip, .cpp), OpenCL C (.cl), C with OpenACC or "
    "OpenMP (.c), PTX (.ptx) or MLIR (.mlir), or - with -x KIND.\n\n"
    "examples:\n"
    "  gpuopt compile mm.cu --target sm_90 -o mm.ptx --explain\n"
    "  gpuopt compile mm.cu --target gfx942 -o mm.hsaco --report mm.json\n"
    "  gpuopt check mm.cu\n"
    "  gpuopt check mm.cu --kernel mm --size m=130,n=67,k=33\n"
    "  gpuopt profile mm.cu --kernel mm --compare\n"
    "  gpuopt tune mm.cu --kernel mm --size m=4096,n=4096,k=4096\n"
    "  gpuopt assist mm.cu --kernel mm -o prefetch.c\n"
    "  gpuopt cc -O2 program.cu -o program   (as nvcc; also gpuopt-cc)\n"
    "  gpuopt cc -fopenacc program.c -o program\n"
    "  gpuopt offload program.c -o offloaded.c   (OpenMP's loops to a device)";

static int printHelp(StringRef command) {
  optionTable().printHelp(outs(), "gpuopt COMMAND FILE [options]",
                          kOverview.str().c_str(), /*ShowHidden=*/false,
                          /*ShowAllAliases=*/false, opt::Visibility(), command);
  return kDone;
}

int gpuopt::runTargets(const opt::InputArgList &arguments) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  std::vector<std::string> names = arguments.getAllArgValues(OPT_INPUT);
  if (names.empty())
    for (StringRef name : knownTargetNames())
      outs() << name << '\n';
  for (const std::string &name : names) {
    Expected<TargetAttr> target = lookUpTarget(&context, name);
    if (!target)
      return usageError(toString(target.takeError()));
    outs() << *target << '\n';
  }
  return kDone;
}

/// What is wrong with `name`, and what it may be meant for.
static std::string unknownCommand(StringRef name) {
  constexpr unsigned mostEdits = 2;
  std::string text = ("unknown command '" + name + "'").str();
  for (StringRef command :
       {"assist", "cache", "calibrate", "cc", "check", "compile", "inspect",
        "instrument", "offload", "profile", "reproduce", "run", "sanitize",
        "targets", "tune"})
    if (name.edit_distance(command, /*AllowReplacements=*/true, mostEdits) <=
        mostEdits)
      return text + "; did you mean '" + command.str() + "'?";
  return text;
}

/// `gpuopt-cc ARGUMENTS` or `gpuopt cc ARGUMENTS`.
static int runAsCompiler(ArrayRef<const char *> command) {
  int code = kBadInput;
  runOnLargeStack([&] { code = runCompilerDriver(command); },
                  "gpuopt cc: error: nested too deeply\n");
  return code;
}

static int64_t nanoseconds() {
  timespec now = {};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1'000'000'000 + now.tv_nsec;
}

/// A check that is interrupted says what it has found; nothing else has
/// anything to say. `timeout` sends its signal to a process and then to its
/// group: what follows at once is the same interrupt.
static void handleInterrupt(int) {
  static std::atomic<int64_t> first{0};
  int64_t now = nanoseconds(), before = 0;
  bool isFirst = first.compare_exchange_strong(before, now);
  if (isFirst ? interruptLaunches() : now - before < 500'000'000)
    return;
  sys::RunInterruptHandlers();
  _exit(130);
}

static void handleSignals() {
  // LLVM's handlers serve one signal and leave the next to the system.
  for (int signal : {SIGINT, SIGTERM})
    std::signal(signal, handleInterrupt);
  // A file that grows larger than it may fails to be written, as on a full
  // disk.
  std::signal(SIGXFSZ, SIG_IGN);
}

static Command findCommand(StringRef name) {
  return StringSwitch<Command>(name)
      .Case("assist", runAssist)
      .Case("cache", runCache)
      .Case("calibrate", runCalibrate)
      .Case("compile", runCompile)
      .Case("check", runCheck)
      .Case("inspect", runInspect)
      .Case("instrument", runInstrument)
      .Case("offload", runOffload)
      .Case("profile", runProfile)
      .Case("reproduce", runReproduce)
      .Case("run", runRun)
      .Case("sanitize", runSanitize)
      .Case("targets", runTargets)
      .Case("tune", runTune)
      .Default(nullptr);
}

int main(int argc, char **argv) {
  InitLLVM initLLVM(argc, argv);
  reportOutputErrors("gpuopt");
  heedNoColor();
  handleSignals();
  // A link by nvcc's name serves builds that know no other.
  StringRef program = sys::path::filename(argv[0]);
  if (program == "gpuopt-cc" || program == "nvcc")
    return runAsCompiler({argv, size_t(argc)});
  StringRef name = argc > 1 ? argv[1] : "";
  if (name == "--version") {
    outs() << "gpuopt " << GPUOPT_VERSION << " (LLVM " << GPUOPT_LLVM_VERSION
           << ")\n";
    return kDone;
  }
  if (name == "--help" || name == "-h" || name == "help")
    return printHelp(argc > 2 ? argv[2] : "");
  // Its command line is that of other compilers.
  if (name == "cc")
    return runAsCompiler({argv + 1, size_t(argc - 1)});
  Command command = findCommand(name);
  if (!command)
    return usageError(name.empty() ? "no command" : unknownCommand(name));

  unsigned missingIndex, missingCount;
  opt::InputArgList arguments = optionTable().ParseArgs(
      ArrayRef<const char *>(argv + 2, argc - 2), missingIndex, missingCount);
  if (missingCount)
    return usageError("option '" +
                      StringRef(arguments.getArgString(missingIndex)) +
                      "' takes a value");
  if (const opt::Arg *unknown = arguments.getLastArg(OPT_UNKNOWN)) {
    std::string nearest;
    optionTable().findNearest(unknown->getAsString(arguments), nearest);
    return usageError("unknown option '" + unknown->getAsString(arguments) +
                      "'; did you mean '" + nearest + "'?");
  }
  if (arguments.hasArg(OPT_help))
    return printHelp(name);
  if (Error error = checkOptionsAreUsed(name, arguments))
    return usageError(toString(std::move(error)));
  if (Error error = checkOutputs(arguments))
    return usageError(toString(std::move(error)));
  std::string input = arguments.getLastArgValue(OPT_INPUT, "gpuopt").str();
  std::string tooDeep = input + ": error: nested too deeply\n";
  int code = kDone;
  runOnLargeStack([&] { code = command(arguments); }, tooDeep);
  return code;
}
