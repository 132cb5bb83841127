//===- RunCommand.cpp - gpuopt run ----------------------------------------===//
//
// Starts a program and asks its runtime what became of each launch.
//
//===----------------------------------------------------------------------===//

#include "conversion/EmitBinary/FileOutput.h"
#include "runtime/LaunchLog.h"
#include "tools/gpuopt/CommandLine.h"
#include "tools/gpuopt/Outputs.h"
#include "tools/lib/compile/Diagnostics.h"
#include "tools/lib/profile/TextTable.h"

#include "llvm/Demangle/Demangle.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/LineIterator.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/WithColor.h"

#include <cstdlib>

using namespace gpuopt;
using namespace llvm;

namespace {
/// The launches of one kernel.
struct KernelLaunches {
  uint64_t launches = 0, tuned = 0, checked = 0, different = 0, failed = 0;
  /// Why launches took the original kernel, the first reason there was.
  std::string reason;
  /// The first difference, and the first failure.
  std::string difference, failure;
};
/// By the kernel's symbol, in the order of the first launches.
using Summary = std::vector<std::pair<std::string, KernelLaunches>>;
} // namespace

/// Adds a line of the log.
static void addLaunch(const json::Object &line, Summary &summary) {
  std::string symbol = line.getString("kernel").value_or("").str();
  auto found = find_if(
      summary, [&](const auto &entry) { return entry.first == symbol; });
  KernelLaunches &kernel =
      found == summary.end()
          ? summary.emplace_back(symbol, KernelLaunches()).second
          : found->second;
  ++kernel.launches;
  if (line.getBoolean("tuned").value_or(false))
    ++kernel.tuned;
  else if (kernel.reason.empty())
    kernel.reason = line.getString("reason").value_or("").str();
  if (auto error = line.getString("error"); error && kernel.failed++ == 0)
    kernel.failure = formatv("launch {0}: {1} {2}", kernel.launches, *error,
                             line.getString("place").value_or(""));
  std::optional<int64_t> bytes = line.getInteger("differing_bytes");
  if (!bytes)
    return;
  ++kernel.checked;
  if (*bytes && kernel.different++ == 0)
    kernel.difference =
        formatv("launch {0}: {1} bytes differ, the first is {2}",
                kernel.launches, *bytes, line.getString("place").value_or(""));
}

/// What the log at `path` holds: all launches, and a summary.
static Expected<json::Array> readLog(StringRef path, Summary &summary) {
  auto buffer = MemoryBuffer::getFile(path);
  if (!buffer)
    return errorCodeToError(buffer.getError());
  json::Array launches;
  for (line_iterator line(**buffer); !line.is_at_end(); ++line) {
    auto value = json::parse(*line);
    if (!value)
      return value.takeError();
    if (const json::Object *object = value->getAsObject())
      addLaunch(*object, summary);
    launches.push_back(std::move(*value));
  }
  return std::move(launches);
}

static void printSummary(const Summary &summary, bool checks) {
  TextTable table;
  std::vector<std::string> heading = {"kernel", "launches", "tuned"};
  if (checks)
    heading.push_back("equal");
  table.row(heading);
  for (const auto &[symbol, kernel] : summary) {
    std::vector<std::string> cells = {demangle(symbol),
                                      std::to_string(kernel.launches),
                                      std::to_string(kernel.tuned)};
    if (checks)
      cells.push_back(std::to_string(kernel.checked - kernel.different));
    table.row(cells);
    std::vector<std::string> notes;
    if (!kernel.reason.empty())
      notes.push_back("as written: " + kernel.reason);
    for (const std::string &note : {kernel.difference, kernel.failure})
      if (!note.empty())
        notes.push_back(note);
    table.notes(notes);
  }
  if (table.isEmpty())
    errs() << "gpuopt: no kernel was launched\n";
  else
    table.print(errs(), /*left=*/1);
}

/// Runs the program; its exit code. Nothing where it cannot be started, which
/// is said.
static std::optional<int> runProgram(ArrayRef<std::string> command) {
  auto program = sys::findProgramByName(command.front());
  if (!program) {
    WithColor::error(errs(), command.front())
        << program.getError().message() << '\n';
    return std::nullopt;
  }
  SmallVector<StringRef> arguments(command.begin(), command.end());
  std::string message;
  bool hasNotStarted = false;
  int code = sys::ExecuteAndWait(*program, arguments, /*Env=*/std::nullopt,
                                 /*Redirects=*/{}, /*SecondsToWait=*/0,
                                 /*MemoryLimit=*/0, &message, &hasNotStarted);
  if (!message.empty())
    WithColor::error(errs(), command.front()) << message << '\n';
  if (hasNotStarted)
    return std::nullopt;
  // A signal has ended it.
  if (code < 0)
    return kBadInput;
  return code;
}

int gpuopt::runRun(const opt::InputArgList &arguments) {
  std::vector<std::string> command = arguments.getAllArgValues(OPT_program);
  if (command.empty())
    return usageError(
        "no program: gpuopt run [options] -- PROGRAM [ARGUMENTS]");
  auto fail = [](Error error) {
    WithColor::error(errs(), "gpuopt run")
        << toString(std::move(error)) << '\n';
    return kBadInput;
  };
  auto log = TemporaryFile::create("launches.json");
  if (!log)
    return fail(log.takeError());
  bool checks = arguments.hasArg(OPT_check_launches);
  setenv(kLaunchLogVariable, (*log)->path().str().c_str(), 1);
  if (checks)
    setenv(kCheckLaunchesVariable, "1", 1);
  std::optional<int> code = runProgram(command);
  if (!code)
    return kBadInput;
  Summary summary;
  auto launches = readLog((*log)->path(), summary);
  if (!launches)
    return fail(launches.takeError());
  printSummary(summary, checks);
  if (StringRef path = arguments.getLastArgValue(OPT_report); !path.empty())
    if (Error error = writeOutput(
            path, formatv("{0:2}\n", json::Value(std::move(*launches))).str()))
      return fail(std::move(error));
  bool isUnproven =
      checks && any_of(summary, [](const auto &entry) {
        const KernelLaunches &kernel = entry.second;
        return kernel.different || kernel.checked != kernel.launches;
      });
  return *code == 0 && isUnproven ? int(kBadInput) : *code;
}
