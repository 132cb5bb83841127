//===- RunCommand.cpp - gpuopt run ----------------------------------------===//
//
// Starts a program and asks its runtime what became of each launch.
//
//===----------------------------------------------------------------------===//

#include "conversion/EmitBinary/FileOutput.h"
#include "runtime/LaunchLog.h"
#include "tools/gpuopt/CommandLine.h"
#include "tools/gpuopt/Outputs.h"
#include "tools/gpuopt/ProgramProfiler.h"
#include "tools/lib/compile/Diagnostics.h"
#include "tools/lib/profile/ProfilePage.h"
#include "tools/lib/profile/TextTable.h"

#include "llvm/Demangle/Demangle.h"
#include "llvm/Support/FileSystem.h"
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
  uint64_t launches = 0, tuned = 0, sampled = 0, checked = 0, different = 0,
           failed = 0, faulty = 0, withoutRaces = 0;
  /// Why launches took the original kernel, the first reason there was.
  std::string reason;
  /// The first difference, the first failure and the first fault.
  std::string difference, failure, fault;
};

/// What a log tells.
struct Summary {
  /// By the kernel's symbol, in the order of the first launches.
  std::vector<std::pair<std::string, KernelLaunches>> kernels;
  uint64_t leaks = 0, leakedBytes = 0;

  KernelLaunches &find(StringRef symbol);
  uint64_t sum(uint64_t KernelLaunches::*count) const;
  /// Whether all that was looked at is as it should be.
  bool isProven(bool checks) const;
};
} // namespace

KernelLaunches &Summary::find(StringRef symbol) {
  auto found = find_if(
      kernels, [&](const auto &entry) { return entry.first == symbol; });
  return found == kernels.end()
             ? kernels.emplace_back(symbol, KernelLaunches()).second
             : found->second;
}

uint64_t Summary::sum(uint64_t KernelLaunches::*count) const {
  uint64_t total = 0;
  for (const auto &[symbol, kernel] : kernels)
    total += kernel.*count;
  return total;
}

/// A program without launches has nothing that could be proven, and races that
/// were not looked for are not absent.
bool Summary::isProven(bool checks) const {
  return !leaks && !(checks && kernels.empty()) &&
         !sum(&KernelLaunches::withoutRaces) &&
         all_of(kernels, [&](const auto &entry) {
           const KernelLaunches &kernel = entry.second;
           return !kernel.different && !kernel.faulty && !kernel.failed &&
                  (!checks || kernel.checked == kernel.sampled);
         });
}

/// "launch 7 of the program", which is not always the kernel's seventh.
static std::string nameLaunch(const json::Object &line) {
  return "launch " + std::to_string(line.getInteger("launch").value_or(0));
}

static void addFaults(const json::Object &line, KernelLaunches &kernel) {
  const json::Array *faults = line.getArray("faults");
  if (!faults || faults->empty() || kernel.faulty++)
    return;
  if (const json::Object *fault = faults->front().getAsObject())
    kernel.fault =
        nameLaunch(line) + ": " + fault->getString("kind").value_or("").str();
}

/// Adds a line of the log.
static void addLine(const json::Object &line, bool sanitizes,
                    Summary &summary) {
  if (std::optional<int64_t> bytes = line.getInteger("leak")) {
    ++summary.leaks;
    summary.leakedBytes += *bytes;
    return;
  }
  KernelLaunches &kernel = summary.find(line.getString("kernel").value_or(""));
  ++kernel.launches;
  kernel.sampled += line.getBoolean("sampled").value_or(false);
  kernel.withoutRaces += line.getBoolean("skipped_races").value_or(false);
  if (line.getBoolean("tuned").value_or(false))
    ++kernel.tuned;
  else if (kernel.reason.empty())
    kernel.reason = line.getString("reason").value_or("").str();
  if (auto error = line.getString("error"); error && kernel.failed++ == 0)
    kernel.failure = formatv("{0}: {1} {2}", nameLaunch(line), *error,
                             line.getString("place").value_or(""));
  if (sanitizes)
    addFaults(line, kernel);
  std::optional<int64_t> bytes = line.getInteger("differing_bytes");
  if (!bytes)
    return;
  ++kernel.checked;
  if (*bytes && kernel.different++ == 0)
    kernel.difference =
        formatv("{0}: {1} bytes differ, the first is {2}", nameLaunch(line),
                *bytes, line.getString("place").value_or(""));
}

/// What the log at `path` holds: all its lines, and a summary.
static Expected<json::Array> readLog(StringRef path, bool sanitizes,
                                     Summary &summary) {
  auto buffer = MemoryBuffer::getFile(path);
  if (!buffer)
    return errorCodeToError(buffer.getError());
  json::Array lines;
  for (line_iterator line(**buffer); !line.is_at_end(); ++line) {
    auto value = json::parse(*line);
    if (!value)
      return value.takeError();
    if (const json::Object *object = value->getAsObject())
      addLine(*object, sanitizes, summary);
    lines.push_back(std::move(*value));
  }
  return std::move(lines);
}

/// Says of how many launches the table speaks, which are `what`.
static void printSample(const Summary &summary, StringRef what) {
  uint64_t launches = summary.sum(&KernelLaunches::launches);
  uint64_t sampled = summary.sum(&KernelLaunches::sampled);
  errs() << what << ": ";
  if (sampled == launches)
    errs() << "all ";
  else
    errs() << sampled << " of ";
  errs() << launches << " launches";
  if (uint64_t without = summary.sum(&KernelLaunches::withoutRaces))
    errs() << "; " << without
           << " not for races, with more than 256 MiB of memory";
  if (summary.leaks)
    errs() << "; " << summary.leaks << " allocations with "
           << summary.leakedBytes << " bytes are never freed";
  errs() << '\n';
}

static void printSummary(const Summary &summary, bool checks, bool sanitizes) {
  TextTable table;
  std::vector<std::string> heading = {"kernel", "launches",
                                      sanitizes ? "clean" : "tuned"};
  if (checks)
    heading.push_back("equal");
  table.row(heading);
  for (const auto &[symbol, kernel] : summary.kernels) {
    uint64_t clean = kernel.sampled - std::min(kernel.faulty, kernel.sampled);
    std::vector<std::string> cells = {
        demangle(symbol), std::to_string(kernel.launches),
        std::to_string(sanitizes ? clean : kernel.tuned)};
    if (checks)
      cells.push_back(std::to_string(kernel.checked - kernel.different));
    table.row(cells);
    std::vector<std::string> notes;
    if (!kernel.reason.empty() && !sanitizes)
      notes.push_back("as written: " + kernel.reason);
    for (const std::string &note :
         {kernel.difference, kernel.fault, kernel.failure})
      if (!note.empty())
        notes.push_back(note);
    table.notes(notes);
  }
  if (table.isEmpty()) {
    errs() << "gpuopt: no kernel was launched\n";
    return;
  }
  table.print(errs(), /*left=*/1);
  if (checks || sanitizes)
    printSample(summary, sanitizes ? "sanitized" : "checked");
}

/// Prints the kernels by their share of the traffic.
static void printProgram(ArrayRef<const ProgramKernel *> kernels,
                         const Summary &summary, StringRef folder) {
  if (kernels.empty()) {
    errs() << "gpuopt: no kernel was profiled\n";
    return;
  }
  int64_t total = 0;
  for (const ProgramKernel *kernel : kernels)
    total += kernel->asWritten.globalCost().sectors;
  TextTable table;
  table.row({"kernel", "launches", "traffic", "sectors", "optimized"});
  for (const ProgramKernel *kernel : kernels) {
    int64_t sectors = kernel->asWritten.globalCost().sectors;
    double share = total ? 100.0 * double(sectors) / double(total) : 0;
    table.row({kernel->asWritten.kernel.displayName,
               std::to_string(kernel->launches),
               formatv("{0:f1}%", share).str(), std::to_string(sectors),
               std::to_string(kernel->optimized.globalCost().sectors)});
  }
  table.print(errs(), /*left=*/1);
  printSample(summary, "profiled");
  errs() << "the program's page: " << folder << "/index.html\n";
}

/// Makes sure that there are the folders before the program has run in vain.
static Error startProfiler(StringRef folder, StringRef traceFolder,
                           std::unique_ptr<ProgramProfiler> &profiler) {
  for (StringRef path : {folder, traceFolder}) {
    if (path.empty())
      continue;
    std::error_code problem = sys::fs::create_directories(path);
    if (!problem && !sys::fs::is_directory(path))
      problem = std::make_error_code(std::errc::not_a_directory);
    if (problem)
      return cannotWrite(path, problem);
  }
  auto started = ProgramProfiler::start(traceFolder);
  if (started)
    profiler = std::move(*started);
  return started.takeError();
}

/// Writes what `gpuopt run --profile` has found into `folder`.
static Error writeProfile(StringRef folder, StringRef program,
                          ArrayRef<const ProgramKernel *> kernels) {
  if (Error error = writeOutput(
          (folder + "/profile.json").str(),
          formatv("{0:2}\n", json::Value(makeReport(kernels))).str()))
    return error;
  return writeOutput((folder + "/index.html").str(),
                     makeProgramPage(program, kernels));
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

/// Sets what the program's runtime reads; what is wrong with the options.
static std::optional<std::string>
askRuntime(const opt::InputArgList &arguments) {
  bool checks = arguments.hasArg(OPT_check_launches);
  bool sanitizes = arguments.hasArg(OPT_sanitize_launches);
  bool profiles = arguments.hasArg(OPT_profile_launches);
  if (checks + sanitizes + profiles > 1)
    return "--check, --sanitize and --profile are runs of their own";
  if (arguments.hasArg(OPT_trace) && !profiles)
    return "--trace goes with --profile";
  if (checks)
    setenv(kCheckLaunchesVariable, "1", 1);
  if (sanitizes)
    setenv(kSanitizeLaunchesVariable, "1", 1);
  for (auto [option, name, variable] :
       {std::tuple(OPT_every, "--every", kEveryLaunchVariable),
        {OPT_first, "--first", kFirstLaunchesVariable}}) {
    if (!arguments.hasArg(option))
      continue;
    StringRef text = arguments.getLastArgValue(option);
    uint64_t number;
    if (text.getAsInteger(10, number) || number == 0)
      return formatv("{0}: '{1}' is no positive number", name, text).str();
    if (!checks && !sanitizes && !profiles)
      return formatv("{0} goes with --check, --sanitize or --profile", name)
          .str();
    setenv(variable, text.str().c_str(), 1);
  }
  return std::nullopt;
}

int gpuopt::runRun(const opt::InputArgList &arguments) {
  std::vector<std::string> command = arguments.getAllArgValues(OPT_program);
  if (command.empty())
    return usageError(
        "no program: gpuopt run [options] -- PROGRAM [ARGUMENTS]");
  if (std::optional<std::string> problem = askRuntime(arguments))
    return usageError(*problem);
  auto fail = [](Error error) {
    WithColor::error(errs(), "gpuopt run")
        << toString(std::move(error)) << '\n';
    return kBadInput;
  };
  auto log = TemporaryFile::create("launches.json");
  if (!log)
    return fail(log.takeError());
  bool checks = arguments.hasArg(OPT_check_launches);
  bool sanitizes = arguments.hasArg(OPT_sanitize_launches);
  setenv(kLaunchLogVariable, (*log)->path().str().c_str(), 1);
  std::unique_ptr<ProgramProfiler> profiler;
  StringRef folder = arguments.getLastArgValue(OPT_profile_launches);
  if (!folder.empty())
    if (Error error = startProfiler(
            folder, arguments.getLastArgValue(OPT_trace), profiler))
      return fail(std::move(error));
  std::optional<int> code = runProgram(command);
  if (!code)
    return kBadInput;
  Summary summary;
  auto lines = readLog((*log)->path(), sanitizes, summary);
  if (!lines)
    return fail(lines.takeError());
  if (profiler) {
    if (Error error = profiler->finish())
      return fail(std::move(error));
    std::vector<const ProgramKernel *> kernels = profiler->profile().judge();
    if (Error error = writeProfile(folder, command.front(), kernels))
      return fail(std::move(error));
    printProgram(kernels, summary, folder);
  } else {
    printSummary(summary, checks, sanitizes);
  }
  if (StringRef path = arguments.getLastArgValue(OPT_report); !path.empty())
    if (Error error = writeOutput(
            path, formatv("{0:2}\n", json::Value(std::move(*lines))).str()))
      return fail(std::move(error));
  bool isBad = (checks || sanitizes) && !summary.isProven(checks);
  return *code == 0 && isBad ? int(kBadInput) : *code;
}
