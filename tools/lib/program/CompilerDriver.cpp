//===- CompilerDriver.cpp - gpuopt as the compiler of a build -------------===//

#include "tools/lib/program/CompilerDriver.h"

#include "conversion/ImportSource/Colors.h"
#include "conversion/ImportSource/HostHeaders.h"
#include "tools/lib/program/DeviceSection.h"
#include "tools/lib/program/HostFrontend.h"
#include "tools/lib/program/NVCCOptions.h"

#include "clang/Driver/Compilation.h"
#include "clang/Driver/Driver.h"
#include "clang/Driver/Job.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "clang/Options/Options.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/StringSaver.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "llvm/Support/WithColor.h"
#include "llvm/TargetParser/Host.h"

#include <cstdlib>
#include <set>

using namespace llvm;
using namespace gpuopt;
namespace options = clang::options;

static int fail(const Twine &message) {
  WithColor::error(errs(), "gpuopt cc") << message << '\n';
  return 1;
}

/// The directory of `libgpuopt_runtime`, beside the one of this program.
static std::string runtimeDirectory() {
  static int anchor;
  SmallString<256> path(sys::fs::getMainExecutable(nullptr, &anchor));
  sys::path::remove_filename(path);
  sys::path::append(path, "..", "lib");
  sys::path::remove_dots(path, /*remove_dot_dot=*/true);
  return path.str().str();
}

/// What stands for an SDK's directory where a build asks for one, as CMake
/// does: headers, and the libraries by their names there.
static std::string toolkitDirectory() {
  return runtimeDirectory() + "/gpuopt/toolkit";
}

/// Whether a command line of Clang's names a file.
static bool hasInput(ArrayRef<std::string> arguments) {
  SmallVector<const char *> pointers;
  for (const std::string &argument : arguments)
    pointers.push_back(argument.c_str());
  unsigned missingIndex, missingCount;
  return clang::getDriverOptTable()
      .ParseArgs(pointers, missingIndex, missingCount,
                 opt::Visibility(options::ClangOption))
      .hasArg(options::OPT_INPUT);
}

/// Whether LLVM's OpenMP library is where Clang would find it.
static bool hasOpenMP() {
  SmallString<256> besideClang(sys::path::parent_path(clangProgram()));
  sys::path::append(besideClang, "..", "lib", "libomp.so");
  return sys::fs::exists(besideClang) ||
         sys::fs::exists("/usr/lib/x86_64-linux-gnu/libomp.so") ||
         sys::fs::exists("/usr/local/lib/libomp.so");
}

/// Programs ask their host compiler for OpenMP. Without LLVM's library for it,
/// GCC's has its functions, and one thread does what the pragmas say.
static void chooseOpenMP(std::vector<std::string> &arguments) {
  auto asked = find(arguments, "-fopenmp");
  if (asked == arguments.end() || hasOpenMP())
    return;
  std::replace(asked, arguments.end(), std::string("-fopenmp"),
               std::string("-fopenmp=libgomp"));
  WithColor::warning(errs(), "gpuopt cc")
      << "libomp is not installed: OpenMP's pragmas have no effect\n";
}

static std::vector<std::string> archsOf(const DriverOptions &given) {
  return given.archs.empty() ? std::vector<std::string>{CompileOptions().target}
                             : given.archs;
}

/// nvcc's `__CUDA_ARCH_LIST__`, such as `800,900`. CUB's kernels have it in
/// their names.
static std::string archList(const DriverOptions &given) {
  std::set<unsigned> numbers;
  for (StringRef arch : archsOf(given)) {
    unsigned number = 0;
    if (arch.consume_front("sm_") && !arch.consumeInteger(10, number))
      numbers.insert(10 * number);
  }
  return join(map_range(numbers,
                        [](unsigned number) { return std::to_string(number); }),
              ",");
}

/// Clang's command line for the host side of everything, and for linking.
static std::vector<std::string> clangCommand(const DriverOptions &given,
                                             const std::string &libraries) {
  std::vector<std::string> command = {
      clangProgram(), "--no-default-config", "--start-no-unused-arguments",
      "--cuda-host-only", "--no-offload-new-driver", "-nocudainc", "-nocudalib",
      "-Wno-unknown-cuda-version", "-U__CUDA_ARCH_LIST__",
      "-D__CUDA_ARCH_LIST__=" + archList(given),
      // What GCC lets pass in C, as nvcc's host compiler.
      "-Wno-error=implicit-function-declaration", "-Wno-error=implicit-int",
      "-Wno-error=int-conversion", "-Wno-error=incompatible-pointer-types",
      "--end-no-unused-arguments"};
  // In front: what the command line says of colours comes later.
  if (isColorUnwanted())
    command.push_back("-fno-color-diagnostics");
  append_range(command, given.clangArguments);
  chooseOpenMP(command);
  // With libraries alone there would be something to link.
  if (!hasInput(given.clangArguments))
    return command;
  append_range(command,
               std::initializer_list<std::string>{
                   "--start-no-unused-arguments", "-L" + libraries,
                   "-Wl,-rpath," + libraries, "-Wl,--push-state,--as-needed",
                   "-Xlinker", libraries + "/libgpuopt_runtime.so", "-lstdc++",
                   "-lm", "-Wl,--pop-state", "--end-no-unused-arguments"});
  return command;
}

/// The language of a front end's command line: what `-x` says.
static StringRef languageOf(ArrayRef<const char *> arguments) {
  for (auto [index, argument] : enumerate(arguments.drop_back()))
    if (StringRef(argument) == "-x")
      return arguments[index + 1];
  return "";
}

/// Whether Clang's front end is asked for an object file, assembly or LLVM's
/// code; what other actions make has no place for device code.
static bool emitsCode(ArrayRef<const char *> arguments) {
  return any_of(arguments, [](StringRef text) {
    return text == "-emit-obj" || text == "-S" || text == "-emit-llvm-bc" ||
           text == "-emit-llvm";
  });
}

/// Whether the file of a front end's command line has OpenACC's directives.
static bool hasOpenACC(ArrayRef<const char *> arguments) {
  StringRef language = languageOf(arguments);
  return (language == "c" || language == "c++") &&
         is_contained(arguments, StringRef("-fopenacc"));
}

/// What of the command line concerns the device side of every file.
static std::vector<std::string> deviceArguments(const opt::ArgList &arguments) {
  opt::ArgStringList rendered;
  for (const opt::Arg *argument : arguments.filtered(
           options::OPT_D, options::OPT_U, options::OPT_I_Group,
           options::OPT_std_EQ, options::OPT_include, options::OPT_isystem,
           options::OPT_iquote, options::OPT_idirafter)) {
    argument->claim();
    argument->render(arguments, rendered);
  }
  return std::vector<std::string>(rendered.begin(), rendered.end());
}

/// What the front end's command line for the host says of the layout of data
/// and of macros, so that both sides agree.
static std::vector<std::string>
layoutArguments(ArrayRef<const char *> frontend) {
  std::vector<std::string> arguments;
  for (StringRef argument : frontend) {
    if (argument == "-fno-signed-char" || argument == "-fshort-enums" ||
        argument.starts_with("-fpack-struct="))
      arguments.push_back(argument.str());
    if (argument == "-fopenmp")
      arguments.push_back("-D_OPENMP=202011");
  }
  return arguments;
}

/// Compiles the device side of the file of a front end's command line for all
/// architectures, and adds it to `host`. False where that fails, after saying
/// why.
static bool addDeviceSide(ArrayRef<const char *> frontend,
                          const DriverOptions &given,
                          const opt::ArgList &arguments, HostSide &host) {
  StringRef path = frontend.back();
  CompileOptions compile;
  if (host.isCUDA)
    compile.inputKind = InputKind::CUDA;
  compile.gridSync = GridSync::Cooperative;
  compile.import.clangArguments = deviceArguments(arguments);
  if (!host.isCUDA)
    compile.import.clangArguments.push_back("-fopenacc");
  append_range(compile.import.clangArguments, layoutArguments(frontend));
  compile.import.leaveOutUnsupported = true;
  compile.import.isOfProgram = true;
  compile.import.cudaPath = given.cudaPath;
  compile.import.looksLikeNVCC = !given.isClangs;
  compile.import.fpContract = given.fpContract;
  compile.import.fastMath = given.fastMath;
  std::vector<DeviceImage> images;
  for (const std::string &arch : archsOf(given)) {
    if (arguments.hasArg(options::OPT_v))
      errs() << " device side of " << path << ": -target-cpu " << arch << '\n';
    compile.target = arch;
    auto compilation = Compilation::create(path, compile);
    if (!compilation)
      return false;
    if (!host.isCUDA)
      host.openACCText = compilation->hostText();
    if (compilation->kernels().empty())
      return true;
    auto made = makeDeviceImages(*compilation,
                                 is_contained(given.assembledArchs, arch));
    if (!made)
      return !fail(path + ": " + toString(made.takeError()));
    move(*made, std::back_inserter(images));
  }
  host.deviceSection = writeImages(images);
  return true;
}

/// Whether this machine has the program that a job is of; says so otherwise.
static bool hasProgram(const clang::driver::Command &job) {
  StringRef program = job.getExecutable();
  ErrorOr<std::string> found = sys::findProgramByName(program);
  // A path is found as it stands.
  if (found && sys::fs::can_execute(*found))
    return true;
  StringRef name = sys::path::filename(program);
  fail("'" + name + "' was not found: " +
       (name == "clang" ? "assembly needs Clang installed"
                        : "programs are linked by the host's binutils and GCC, "
                          "which have to be installed"));
  return false;
}

/// What Clang says of host code where there are no headers does not tell why.
static void noteMissingHeaders() {
  ArrayRef<std::string> directories = hostHeaderArguments();
  if (none_of(directories, [](const std::string &directory) {
        return sys::fs::exists(directory + "/cstdlib");
      }))
    fail("host code is compiled with the headers of the host's C++ compiler, "
         "and none is installed (g++, or Clang with libc++)");
}

/// Runs one job of Clang's plan.
static bool runJob(const clang::driver::Command &job,
                   clang::driver::Compilation &plan,
                   const DriverOptions &given) {
  ArrayRef<const char *> arguments = job.getArguments();
  if (arguments.empty() || StringRef(arguments.front()) != "-cc1") {
    const clang::driver::Command *failing = nullptr;
    return hasProgram(job) && plan.ExecuteCommand(job, failing) == 0;
  }
  arguments = arguments.drop_front();
  HostSide host;
  host.isCUDA = languageOf(arguments) == "cuda";
  host.looksLikeNVCC = !given.isClangs;
  bool hasDeviceSide = host.isCUDA || hasOpenACC(arguments);
  if (hasDeviceSide && emitsCode(arguments) &&
      !addDeviceSide(arguments, given, plan.getArgs(), host))
    return false;
  return runHostFrontend(arguments, host);
}

/// An input that a job, or the list of its dependencies, would replace.
static std::optional<StringRef>
findReplacedInput(const clang::driver::Compilation &plan) {
  SmallVector<std::string> outputs;
  for (const clang::driver::Command &job : plan.getJobs())
    append_range(outputs, job.getOutputFilenames());
  append_range(outputs, plan.getArgs().getAllArgValues(options::OPT_MF));
  for (const opt::Arg *input : plan.getArgs().filtered(options::OPT_INPUT)) {
    StringRef path = input->getValue();
    if (any_of(outputs, [&](const std::string &output) {
          return sys::fs::is_regular_file(path) &&
                 sys::fs::equivalent(path, output);
        }))
      return path;
  }
  return std::nullopt;
}

static int runPlan(ArrayRef<const char *> command, const DriverOptions &given) {
  std::unique_ptr<clang::DiagnosticOptions> printing =
      clang::CreateAndPopulateDiagOpts(command);
  clang::TextDiagnosticPrinter printer(errs(), *printing);
  printer.setPrefix("gpuopt cc");
  clang::DiagnosticsEngine diagnostics(clang::DiagnosticIDs::create(),
                                       *printing, &printer,
                                       /*ShouldOwnClient=*/false);
  clang::ProcessWarningOptions(diagnostics, *printing,
                               *vfs::getRealFileSystem(),
                               /*ReportDiags=*/false);
  clang::driver::Driver driver(clangProgram(), sys::getDefaultTargetTriple(),
                               diagnostics, "gpuopt compiler driver");
  std::unique_ptr<clang::driver::Compilation> plan(
      driver.BuildCompilation(command));
  if (!plan || plan->containsError() || diagnostics.hasErrorOccurred())
    return 1;
  if (plan->getArgs().hasArg(options::OPT__HASH_HASH_HASH)) {
    plan->getJobs().Print(errs(), "\n", /*Quote=*/true);
    return 0;
  }
  if (std::optional<StringRef> input = findReplacedInput(*plan)) {
    fail("the output would replace the input '" + *input + "'");
    return 1;
  }
  int code = 0;
  for (const clang::driver::Command &job : plan->getJobs())
    if (!runJob(job, *plan, given)) {
      code = 1;
      break;
    }
  if (code) {
    noteMissingHeaders();
    plan->CleanupFileMap(plan->getResultFiles(), nullptr);
    // Clang forgets the temporary file of an output that it cannot write.
    sys::RunInterruptHandlers();
  }
  plan->CleanupFileList(plan->getTempFiles());
  return code;
}

static void addFromEnvironment(const char *variable, StringSaver &saver,
                               SmallVectorImpl<const char *> &arguments) {
  if (const char *text = std::getenv(variable))
    cl::TokenizeGNUCommandLine(text, saver, arguments);
}

/// As nvcc says it, for builds that ask.
static void sayWhereToolkitIs(ArrayRef<const char *> arguments) {
  for (StringRef argument : arguments) {
    if (argument == "-v")
      errs() << "#$ TOP=" << toolkitDirectory() << '\n';
    if (argument == "--version" || argument == "-V")
      outs() << "gpuopt compiler driver, for CUDA release 12.4, V12.4.0\n";
  }
}

int gpuopt::runCompilerDriver(ArrayRef<const char *> arguments) {
  BumpPtrAllocator memory;
  StringSaver saver(memory);
  // Builds that cannot be changed are given options as they give them to nvcc.
  SmallVector<const char *> expanded;
  addFromEnvironment("NVCC_PREPEND_FLAGS", saver, expanded);
  append_range(expanded, arguments.drop_front());
  addFromEnvironment("NVCC_APPEND_FLAGS", saver, expanded);
  if (!cl::ExpandResponseFiles(saver, cl::TokenizeGNUCommandLine, expanded))
    return fail("a file of options cannot be read");
  Expected<DriverOptions> given = translateOptions(expanded);
  if (!given)
    return fail(toString(given.takeError()));

  if (sys::fs::equivalent(given->cudaPath, toolkitDirectory()))
    given->cudaPath.clear();
  sayWhereToolkitIs(expanded);

  std::vector<std::string> command = clangCommand(*given, runtimeDirectory());
  SmallVector<const char *> pointers;
  for (const std::string &argument : command)
    pointers.push_back(argument.c_str());
  return runPlan(pointers, *given);
}
