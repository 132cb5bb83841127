//===- ProfileCommand.cpp - gpuopt profile --------------------------------===//

#include "conversion/ImportSource/ReadSource.h"
#include "tools/gpuopt/GeometryOption.h"
#include "tools/gpuopt/Outputs.h"
#include "tools/gpuopt/SearchOptions.h"
#include "tools/lib/compile/Diagnostics.h"
#include "tools/lib/launch/ChooseSizes.h"
#include "tools/lib/launch/Npy.h"
#include "tools/lib/profile/Profile.h"
#include "tools/lib/profile/ProfilePage.h"
#include "tools/lib/profile/RecordedTrace.h"
#include "tools/lib/profile/StaticProfile.h"

#include "llvm/Support/raw_ostream.h"

using namespace gpuopt;
using namespace llvm;
using opt::InputArgList;

/// --sample N or --sample all.
static Error setSample(const InputArgList &arguments, ProfileOptions &options) {
  StringRef text = arguments.getLastArgValue(OPT_sample);
  if (text.empty())
    return Error::success();
  int64_t blocks = 0;
  if (text != "all" && (text.getAsInteger(10, blocks) || blocks <= 0))
    return createStringError("--sample takes a number of blocks or 'all', "
                             "found '" +
                             text + "'");
  options.sampledBlocks = blocks;
  return Error::success();
}

/// The versions that the arguments ask for: as written, tuned, or both.
static SmallVector<bool> wantedVersions(const InputArgList &arguments) {
  if (arguments.hasArg(OPT_compare))
    return {false, true};
  return {arguments.hasArg(OPT_optimized)};
}

/// The versions of one kernel: as written, then tuned.
static Expected<std::vector<KernelMeasurement>>
profileVersions(const Compilation &compilation, const KernelInfo &kernel,
                const InputArgList &arguments, const ProfileOptions &options) {
  std::vector<KernelMeasurement> profiles;
  for (bool tuned : wantedVersions(arguments)) {
    Expected<KernelMeasurement> profile =
        profileKernel(compilation, kernel, tuned, options);
    if (!profile)
      return profile.takeError();
    profiles.push_back(std::move(*profile));
  }
  return profiles;
}

/// --static: what can be said without a run.
static int predictKernels(const Compilation &compilation,
                          const InputArgList &arguments,
                          const RunOptions &run) {
  json::Array report;
  for (const KernelInfo &kernel : compilation.kernels())
    for (bool tuned : wantedVersions(arguments)) {
      Expected<StaticProfile> profile =
          predictProfile(compilation, kernel, tuned, run.block);
      if (!profile) {
        printError(kernel.position, profile.takeError());
        return kBadInput;
      }
      printProfile(*profile, compilation.target(), textOutput(arguments));
      report.push_back(makeReport(*profile, compilation.target()));
    }
  return writeJSON(arguments, std::move(report)) ? kDone : kBadInput;
}

/// The options of a run, checked against each other.
static Expected<ProfileOptions> profileOptions(const InputArgList &arguments) {
  Expected<CheckOptions> run = checkOptions(arguments);
  if (!run)
    return run.takeError();
  ProfileOptions options;
  options.run = run->runs.front();
  options.maxSeconds = run->maxSeconds;
  options.maxSteps = run->maxSteps;
  if (Error error = setSample(arguments, options))
    return error;
  if (Error error = checkGeometryOption(arguments))
    return error;
  return options;
}

/// Runs each kernel, prints what it did and adds that to `report`. Sets
/// `isSound` to false where one does what it must not.
/// One that cannot be run keeps none of the others from being so. Returns
/// whether all could be, and did nothing wrong.
static bool profileKernels(const Compilation &compilation,
                           const InputArgList &arguments,
                           const ProfileOptions &options, json::Array &report) {
  bool isSound = compilation.leftOut().empty();
  auto fail = [&](const KernelInfo &kernel, Error error) {
    printError(kernel.position, std::move(error));
    isSound = false;
  };
  for (const KernelInfo &kernel : compilation.kernels()) {
    auto chosen =
        chooseSizes(compilation, kernel, options.run, SizeWish::Large);
    if (!chosen) {
      fail(kernel, chosen.takeError());
      continue;
    }
    const ChosenRun &choice = chosen->front();
    printChoice(kernel, choice, textOutput(arguments));
    ProfileOptions complete = options;
    complete.run = choice.run;
    Expected<std::vector<KernelMeasurement>> profiles =
        profileVersions(compilation, kernel, arguments, complete);
    if (!profiles) {
      fail(kernel, profiles.takeError());
      continue;
    }
    for (const KernelMeasurement &profile : *profiles) {
      printProfile(profile, compilation.target(), textOutput(arguments));
      isSound &= profile.faults.empty();
      report.push_back(makeReport(profile, compilation.target()));
    }
    if (profiles->size() == 2)
      printComparison(profiles->front(), profiles->back(),
                      textOutput(arguments));
  }
  return isSound;
}

/// Runs the kernels and writes what the arguments ask for.
static int measureKernels(const Compilation &compilation,
                          const InputArgList &arguments,
                          ProfileOptions options) {
  std::unique_ptr<TraceFile> trace;
  StringRef tracePath = arguments.getLastArgValue(OPT_trace);
  if (!tracePath.empty()) {
    if (compilation.kernels().size() != 1 || arguments.hasArg(OPT_compare))
      return usageError("--trace is of one kernel (--kernel NAME) in one "
                        "version (not --compare)");
    Expected<std::unique_ptr<TraceFile>> created = TraceFile::create(tracePath);
    if (!created) {
      printError(tracePath, created.takeError());
      return kBadInput;
    }
    trace = std::move(*created);
    options.trace = trace.get();
  }
  ProgressLine progress(errs());
  if (showsProgress(arguments))
    options.progress = &progress;

  json::Array report;
  bool isSound = profileKernels(compilation, arguments, options, report);
  if (report.empty())
    return kBadInput;
  if (trace)
    if (Error error = trace->keep()) {
      printError(tracePath, std::move(error));
      return kBadInput;
    }
  if (StringRef path = arguments.getLastArgValue(OPT_html); !path.empty())
    if (Error error = writeOutput(path, makeProfilePage(compilation, report))) {
      printError(path, std::move(error));
      return kBadInput;
    }
  if (!writeJSON(arguments, std::move(report)))
    return kBadInput;
  return isSound ? kDone : kBadInput;
}

/// --records: what an instrumented kernel has recorded.
static Expected<KernelMeasurement> readRecords(const Compilation &compilation,
                                               StringRef path) {
  auto text = readSource(compilation.path(), compilation.options().text);
  if (failed(text))
    return createStringError("cannot read '" + compilation.path() + "'");
  Expected<NpyArray> file = readNpy(path);
  if (!file)
    return file.takeError();
  if (file->dtype != "u8" && file->dtype != "i8")
    return createStringError("records are words of 64 bits (uint64), and this "
                             "file has '" +
                             file->dtype + "'");
  std::vector<uint64_t> words(file->bytes.size() / sizeof(uint64_t));
  std::memcpy(words.data(), file->bytes.data(),
              words.size() * sizeof(uint64_t));
  return measureRecords(compilation, compilation.kernels().front(),
                        (*text)->getBuffer(), words);
}

static int judgeRecords(const Compilation &compilation,
                        const InputArgList &arguments) {
  if (compilation.kernels().size() != 1)
    return usageError("--records is of one kernel (--kernel NAME)");
  StringRef path = arguments.getLastArgValue(OPT_records);
  Expected<KernelMeasurement> profile = readRecords(compilation, path);
  if (!profile) {
    printError(path, profile.takeError());
    return kBadInput;
  }
  printProfile(*profile, compilation.target(), textOutput(arguments));
  json::Array report;
  report.push_back(makeReport(*profile, compilation.target()));
  return writeJSON(arguments, std::move(report)) ? kDone : kBadInput;
}

int gpuopt::runProfile(const InputArgList &arguments) {
  std::optional<std::string> input = inputFile(arguments);
  if (!input)
    return kBadUsage;
  Expected<CompileOptions> options =
      compileOptions(arguments, /*forAllSizes=*/true);
  if (!options)
    return usageError(toString(options.takeError()));
  options->optimize =
      arguments.hasArg(OPT_optimized) || arguments.hasArg(OPT_compare);
  Expected<ProfileOptions> wanted = profileOptions(arguments);
  if (!wanted)
    return usageError(toString(wanted.takeError()));

  std::vector<KernelSearch> searches;
  std::unique_ptr<Compilation> compilation =
      compileWithSearch(*input, *options, SearchOptions(), arguments, searches);
  if (!compilation)
    return kBadInput;
  if (ExitCode code = checkAgainstInput(arguments, *compilation))
    return code;
  if (arguments.hasArg(OPT_static_))
    return predictKernels(*compilation, arguments, wanted->run);
  if (arguments.hasArg(OPT_records))
    return judgeRecords(*compilation, arguments);
  return measureKernels(*compilation, arguments, *wanted);
}
