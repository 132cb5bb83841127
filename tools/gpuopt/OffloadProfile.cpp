//===- OffloadProfile.cpp - programs that are measured --------------------===//

#include "tools/gpuopt/OffloadProfile.h"

#include "conversion/Installation.h"
#include "tools/gpuopt/Outputs.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/StringSaver.h"

using namespace gpuopt;
using namespace llvm;

namespace {
/// Files of one run, which go with it.
class Folder {
public:
  ~Folder() {
    if (!path.empty())
      sys::fs::remove_directories(path);
  }
  std::error_code create() {
    return sys::fs::createUniqueDirectory("gpuopt-offload", path);
  }
  std::string file(StringRef name) const { return (path + "/" + name).str(); }

private:
  SmallString<128> path;
};
} // namespace

static std::vector<std::string> split(StringRef text) {
  BumpPtrAllocator allocator;
  StringSaver saver(allocator);
  SmallVector<const char *> parts;
  cl::TokenizeGNUCommandLine(text, saver, parts);
  return std::vector<std::string>(parts.begin(), parts.end());
}

/// Runs `command`; `environment` is what it gets beside that of this program.
static Error runCommand(std::vector<std::string> command,
                        const std::string &environment) {
  std::vector<StringRef> arguments(command.begin(), command.end()), variables;
  for (char **variable = environ; *variable; ++variable)
    variables.push_back(*variable);
  variables.push_back(environment);
  std::string message;
  ErrorOr<std::string> program = sys::findProgramByName(command.front());
  if (!program)
    return createStringError("'" + command.front() + "' is not on the PATH");
  int code = sys::ExecuteAndWait(*program, arguments, ArrayRef(variables), {},
                                 0, 0, &message);
  if (code == 0)
    return Error::success();
  return createStringError("'" + command.front() + "' fails with code " +
                           std::to_string(code) +
                           (message.empty() ? "" : ": " + message));
}

Error gpuopt::profileOffload(StringRef path, const MeasuredRun &run,
                             offload::OffloadOptions &options) {
  auto measured = offload::profileLoops(path, options.clangArguments);
  if (failed(measured))
    return createStringError("");
  Folder folder;
  if (std::error_code error = folder.create())
    return createStringError(error, "no folder for the profile");
  bool isC = sys::path::extension(path) == ".c";
  std::string source = folder.file(isC ? "program.c" : "program.cpp");
  std::string program = folder.file("program"), lines = folder.file("profile");
  if (Error error = writeOutput(source, measured->text))
    return error;
  std::vector<std::string> command = {
      "cc",  "-w", "-O2", "-fopenmp", "-I", sys::path::parent_path(path).str(),
      source};
  if (command[5].empty())
    command[5] = ".";
  command.insert(command.end(), options.clangArguments.begin(),
                 options.clangArguments.end());
  for (const std::string &part : split(run.with))
    command.push_back(part);
  for (const std::string &part :
       {installationPrefix() + "/lib/libgpuopt_offload.a",
        std::string("-lstdc++"), std::string("-lm"), std::string("-o"),
        program})
    command.push_back(part);
  if (Error error = runCommand(std::move(command), ""))
    return error;
  std::vector<std::string> started = split(run.arguments);
  started.insert(started.begin(), program);
  if (Error error =
          runCommand(std::move(started), "GPUOPT_OFFLOAD_PROFILE=" + lines))
    return error;
  auto text = MemoryBuffer::getFile(lines);
  if (!text)
    return createFileError(lines, text.getError());
  options.shares = measured->sharesOf((*text)->getBuffer());
  return Error::success();
}
