//===- Outputs.cpp - the files that a command writes ----------------------===//

#include "tools/gpuopt/Outputs.h"
#include "conversion/EmitBinary/FileOutput.h"
#include "dialects/GPUOpt/KnownTargets.h"
#include "tools/gpuopt/CommandLine.h"
#include "tools/lib/compile/Diagnostics.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <filesystem>

using namespace gpuopt;
using namespace llvm;
using opt::InputArgList;

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

/// Whether there is something at `path` that is not replaced but written to: a
/// device, a pipe, a terminal.
static bool isStream(StringRef path) {
  sys::fs::file_status status;
  return !sys::fs::status(path, status) && sys::fs::exists(status) &&
         !sys::fs::is_regular_file(status) && !sys::fs::is_directory(status);
}

/// The file that symbolic links at `path` lead to, which need not exist.
static std::string followLinks(StringRef path) {
  constexpr int mostLinks = 40; // Those in a circle are never there.
  std::filesystem::path file(path.str());
  std::error_code error;
  for (int link = 0; link < mostLinks; ++link) {
    if (!std::filesystem::is_symlink(file, error))
      break;
    std::filesystem::path to = std::filesystem::read_symlink(file, error);
    if (error)
      break;
    file = file.parent_path() / to; // An absolute one stays as it is.
  }
  return file.string();
}

/// The one path that a file has, whether it exists or not.
static std::string uniquePath(StringRef path) {
  std::error_code error;
  std::filesystem::path absolute =
      std::filesystem::absolute(followLinks(path), error);
  std::filesystem::path unique =
      std::filesystem::weakly_canonical(absolute, error);
  return error ? absolute.string() : unique.string();
}

static bool isSameFile(StringRef left, StringRef right) {
  // Hard links are one file by two paths.
  return sys::fs::equivalent(left, right) ||
         uniquePath(left) == uniquePath(right);
}

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

static constexpr OptionID outputOptions[] = {OPT_o, OPT_report, OPT_json,
                                             OPT_html, OPT_trace};

/// Options for directories, and the extension of all that is written there.
static constexpr std::pair<OptionID, StringLiteral> outputDirectories[] = {
    {OPT_output_dir, ".npy"}, {OPT_dump_steps, ".html"}};

namespace {
/// A file, and how the command line names it.
struct NamedFile {
  std::string option;
  StringRef path;
};
} // namespace

static SmallVector<NamedFile> inputsOf(const InputArgList &arguments) {
  SmallVector<NamedFile> inputs;
  for (const opt::Arg *argument : arguments.filtered(OPT_INPUT))
    inputs.push_back({"the input", argument->getValue()});
  for (const opt::Arg *argument : arguments.filtered(OPT_include_file))
    inputs.push_back({"the file of -include", argument->getValue()});
  for (const opt::Arg *argument : arguments.filtered(OPT_sizes))
    inputs.push_back({"the file of --sizes", argument->getValue()});
  for (const opt::Arg *argument : arguments.filtered(OPT_input))
    for (StringRef part : split(argument->getValue(), ','))
      inputs.push_back({"the file of --input", part.split('=').second});
  StringRef target = arguments.getLastArgValue(OPT_target);
  if (!is_contained(knownTargetNames(), target))
    inputs.push_back({"the file of --target", target});
  return inputs;
}

/// Whether a file in `directory` is one that is written there, by its
/// extension.
static bool isWrittenBy(StringRef directory, StringRef extension,
                        StringRef path) {
  if (path.empty() || path == "-" || isStream(path) ||
      !sys::path::extension(path).ends_with(extension))
    return false;
  return sys::path::parent_path(uniquePath(path)) == uniquePath(directory);
}

Error gpuopt::checkOutputs(const InputArgList &arguments,
                           ArrayRef<std::string> included) {
  SmallVector<NamedFile> files = inputsOf(arguments);
  for (const std::string &path : included)
    files.push_back({"a file that the input includes", path});
  for (OptionID id : outputOptions) {
    const opt::Arg *argument = arguments.getLastArg(id);
    StringRef path = argument ? argument->getValue() : "";
    if (path.empty() || path == "-" || isStream(path))
      continue;
    std::string option = StringRef(argument->getSpelling()).rtrim('=').str();
    for (const NamedFile &file : files)
      if (!file.path.empty() && isSameFile(path, file.path))
        return createStringError(option + " would overwrite " + file.option +
                                 ", '" + file.path + "'");
    files.push_back({"what " + option + " writes", path});
  }
  for (auto [id, extension] : outputDirectories)
    if (const opt::Arg *argument = arguments.getLastArg(id))
      for (const NamedFile &file : files)
        if (isWrittenBy(argument->getValue(), extension, file.path))
          return createStringError(
              StringRef(argument->getSpelling()).rtrim('=') +
              " would overwrite " + file.option + ", '" + file.path + "'");
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

Error gpuopt::writeOutput(StringRef path, StringRef contents) {
  if (path == "-") {
    outs() << contents;
    return Error::success();
  }
  return errorCodeToError(isStream(path)
                              ? writeFile(path, {contents})
                              : replaceFile(followLinks(path), {contents}));
}
