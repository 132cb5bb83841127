//===- HostHeaders.cpp - where the host's headers are ---------------------===//

#include "conversion/ImportSource/HostHeaders.h"

#include "clang/Basic/Diagnostic.h"
#include "clang/Driver/Compilation.h"
#include "clang/Driver/Driver.h"
#include "clang/Driver/Job.h"
#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/Support/VirtualFileSystem.h"

using namespace llvm;

namespace {
struct HostHeaders {
  std::vector<std::string> arguments;
  std::string resourceDirectory;
};
} // namespace

/// Asks the driver how it would compile a host C++ file.
static HostHeaders askDriver() {
  HostHeaders headers;
  clang::DiagnosticOptions options;
  clang::DiagnosticsEngine diagnostics(clang::DiagnosticIDs::create(), options,
                                       new clang::IgnoringDiagConsumer());
  // Clang finds its own directories beside its program, which need not be run.
  std::string program = GPUOPT_CLANG_PROGRAM;
  clang::driver::Driver driver(program, "x86_64-unknown-linux-gnu",
                               diagnostics);
  driver.setCheckInputsExist(false);
  headers.resourceDirectory = driver.ResourceDir;
  std::unique_ptr<clang::driver::Compilation> compilation(
      driver.BuildCompilation({program.c_str(), "-x", "c++", "-fsyntax-only",
                               "--no-default-config", "input.cpp"}));
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
