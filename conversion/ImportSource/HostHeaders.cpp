//===- HostHeaders.cpp - where the host's headers are ---------------------===//

#include "conversion/ImportSource/HostHeaders.h"

#include "conversion/Installation.h"

#include "clang/Basic/Diagnostic.h"
#include "clang/Driver/Compilation.h"
#include "clang/Driver/CudaInstallationDetector.h"
#include "clang/Driver/Driver.h"
#include "clang/Driver/Job.h"
#include "clang/Options/Options.h"
#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/VirtualFileSystem.h"

using namespace llvm;

namespace {
struct HostHeaders {
  std::vector<std::string> arguments;
  std::string resourceDirectory;
};
} // namespace

static std::string findClang() {
  // python-bindings/wheel/Contents.cmake puts Clang's headers there.
  const std::string &prefix = gpuopt::installationPrefix();
  std::string own = prefix + "/lib/gpuopt/llvm";
  return !prefix.empty() && sys::fs::exists(own + "/lib/clang")
             ? own + "/bin/clang"
             : GPUOPT_CLANG_PROGRAM;
}

const std::string &gpuopt::clangProgram() {
  static const std::string program = findClang();
  return program;
}

namespace {
/// A driver that says nothing.
struct QuietDriver {
  clang::DiagnosticOptions options;
  clang::DiagnosticsEngine diagnostics{clang::DiagnosticIDs::create(), options,
                                       new clang::IgnoringDiagConsumer()};
  clang::driver::Driver driver{gpuopt::clangProgram(),
                               "x86_64-unknown-linux-gnu", diagnostics};
};
} // namespace

/// Asks the driver how it would compile a host C++ file.
static HostHeaders askDriver() {
  HostHeaders headers;
  QuietDriver quiet;
  clang::driver::Driver &driver = quiet.driver;
  driver.setCheckInputsExist(false);
  headers.resourceDirectory = driver.ResourceDir;
  std::unique_ptr<clang::driver::Compilation> compilation(
      driver.BuildCompilation({gpuopt::clangProgram().c_str(), "-x", "c++",
                               "-fsyntax-only", "--no-default-config",
                               "input.cpp"}));
  if (!compilation || compilation->getJobs().empty())
    return headers;
  const opt::ArgStringList &arguments =
      compilation->getJobs().begin()->getArguments();
  for (size_t i = 0; i + 1 < arguments.size(); ++i) {
    StringRef argument = arguments[i];
    if (argument != "-internal-isystem" &&
        argument != "-internal-externc-isystem")
      continue;
    headers.arguments.push_back(argument.str());
    headers.arguments.push_back(arguments[++i]);
  }
  return headers;
}

static const HostHeaders &hostHeaders() {
  static const HostHeaders headers = askDriver();
  return headers;
}

const std::vector<std::string> &gpuopt::hostHeaderArguments() {
  return hostHeaders().arguments;
}

const std::string &gpuopt::clangResourceDirectory() {
  return hostHeaders().resourceDirectory;
}

gpuopt::CUDASDK gpuopt::findCUDASDK(StringRef directory) {
  QuietDriver quiet;
  std::string option = ("--cuda-path=" + directory).str();
  SmallVector<const char *> arguments = {"-nogpulib"};
  if (!directory.empty())
    arguments.push_back(option.c_str());
  unsigned missingIndex, missingCount;
  opt::InputArgList parsed = clang::getDriverOptTable().ParseArgs(
      arguments, missingIndex, missingCount);
  clang::driver::CudaInstallationDetector detector(
      quiet.driver, Triple(quiet.driver.getTargetTriple()), parsed);
  if (!detector.isValid())
    return {};
  return {detector.getInstallPath().str(),
          clang::CudaVersionToString(detector.version())};
}

/// From version 13 on they have a folder of their own.
static std::vector<std::string> findCoreLibraries() {
  std::string sdk = gpuopt::findCUDASDK("").directory;
  for (StringRef folder : {"/include/cccl", "/include"})
    if (!sdk.empty() && sys::fs::exists(sdk + folder + "/cub/cub.cuh"))
      return {"-idirafter", (sdk + folder).str()};
  return {};
}

const std::vector<std::string> &gpuopt::coreLibraryArguments() {
  static const std::vector<std::string> arguments = findCoreLibraries();
  return arguments;
}
