//===- CompileCommand.cpp - gpuopt compile --------------------------------===//

#include "conversion/EmitBinary/FileOutput.h"
#include "tools/gpuopt/CommandLine.h"
#include "tools/gpuopt/GeometryOption.h"
#include "tools/gpuopt/Outputs.h"
#include "tools/gpuopt/SearchOptions.h"
#include "tools/lib/cache/CacheKey.h"
#include "tools/lib/cache/CompileCache.h"
#include "tools/lib/cache/CompileKey.h"
#include "tools/lib/compile/Diagnostics.h"
#include "tools/lib/compile/Formats.h"
#include "tools/lib/report/Explain.h"
#include "tools/lib/report/Report.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace gpuopt;
using namespace llvm;
using opt::InputArgList;

/// Where the output goes: -o, else standard output for text and FILE's name
/// with another ending for a binary.
static std::string outputPath(const InputArgList &arguments, StringRef input,
                              const OutputFormat &format) {
  if (const opt::Arg *output = arguments.getLastArg(OPT_o))
    return output->getValue();
  if (!format.isBinary)
    return "-";
  StringRef name = input == "<stdin>" ? "stdin" : sys::path::stem(input);
  return (name + "." + format.ending).str();
}

/// Writes the kernels after each transform to `directory`.
static Error writeSteps(const Compilation &compilation, StringRef directory) {
  bool isAMD = compilation.target().getVendor() == Vendor::AMD;
  std::vector<DumpedFile> files =
      compilation.dumpSteps(isAMD ? OutputLanguage::HIP : OutputLanguage::CUDA);
  if (std::error_code error = sys::fs::create_directories(directory))
    return errorCodeToError(error);
  std::vector<std::string> written;
  for (const DumpedFile &file : files) {
    SmallString<128> path(directory);
    sys::path::append(path, file.name);
    if (std::error_code error =
            errorToErrorCode(writeOutput(path, file.text))) {
      for (const std::string &name : written)
        sys::fs::remove(name);
      return cannotWrite(path, error);
    }
    written.push_back(path.str().str());
  }
  return Error::success();
}

/// The text of --report.
static std::string reportText(const Compilation &compilation,
                              const std::vector<KernelSearch> &searches) {
  json::Array kernels = makeReport(compilation);
  addVariants(kernels, searches);
  return formatv("{0:2}\n", json::Value(std::move(kernels)));
}

/// Prints an error and returns false where `path` cannot be written.
static bool writeOrComplain(StringRef path, StringRef text) {
  Error error = writeOutput(path, text);
  if (!error)
    return true;
  printError(path, std::move(error));
  return false;
}

namespace {
/// One run of the command.
struct CompileRun {
  const InputArgList &arguments;
  std::string input;
  CompileOptions options;
  SearchOptions search;
};

/// What it writes, but for the kernels behind each step.
struct CompileResults {
  OutputFormat format;
  std::string output;
  /// Empty where none is asked for.
  std::string report;
};
} // namespace

/// Whether the format called `name` is source code.
static bool isSource(StringRef name) {
  const OutputFormat *format = findOutputFormat(name);
  return format &&
         (format->kind == OutputKind::CUDA || format->kind == OutputKind::HIP ||
          format->kind == OutputKind::OpenCL);
}

static OutputFormat chosenFormat(const CompileRun &run,
                                 const Compilation &compilation) {
  bool isAMD = compilation.target().getVendor() == Vendor::AMD;
  return *findOutputFormat(
      run.arguments.getLastArgValue(OPT_emit, isAMD ? "hsaco" : "ptx"));
}

static bool wantsReport(const CompileRun &run) {
  return !run.arguments.getLastArgValue(OPT_report).empty();
}

/// Everything is made before anything is written.
static std::optional<CompileResults>
makeResults(const CompileRun &run, const Compilation &compilation,
            const std::vector<KernelSearch> &searches) {
  CompileResults results = {chosenFormat(run, compilation), "", ""};
  Expected<std::string> output = compilation.emit(results.format.kind);
  if (!output) {
    printError(run.input, output.takeError());
    return std::nullopt;
  }
  results.output = std::move(*output);
  if (wantsReport(run))
    results.report = reportText(compilation, searches);
  return results;
}

static ExitCode writeResults(const CompileRun &run,
                             const CompileResults &results) {
  // Where the report cannot be written, there is no output either.
  StringRef reportPath = run.arguments.getLastArgValue(OPT_report);
  if (!reportPath.empty() && !writeOrComplain(reportPath, results.report))
    return kBadInput;
  if (!writeOrComplain(outputPath(run.arguments, run.input, results.format),
                       results.output))
    return kBadInput;
  return kDone;
}

//===----------------------------------------------------------------------===//
// With the cache
//===----------------------------------------------------------------------===//

/// Whether results of another run are as good: not where kernels run, designs
/// are searched, or somebody wants to see what the passes do.
static bool usesCache(const InputArgList &arguments) {
  return !arguments.hasArg(OPT_no_cache, OPT_explain, OPT_dump_steps) &&
         !wantsSearch(arguments) && !wantsMeasurement(arguments);
}

static std::string outputKey(StringRef key, const OutputFormat &format) {
  return makeCacheKey({"output", key.str(), format.ending.str()});
}

static std::string reportKey(StringRef key) {
  return makeCacheKey({"report", key.str()});
}

static std::optional<CompileResults> findResults(const CompileRun &run,
                                                 const Compilation &compilation,
                                                 const CompileCache &cache,
                                                 StringRef key) {
  CompileResults results = {chosenFormat(run, compilation), "", ""};
  std::optional<std::string> output =
      cache.lookUp(outputKey(key, results.format));
  std::optional<std::string> report =
      wantsReport(run) ? cache.lookUp(reportKey(key)) : "";
  if (!output || !report)
    return std::nullopt;
  results.output = std::move(*output);
  results.report = std::move(*report);
  return results;
}

static void keepResults(const CompileResults &results,
                        const CompileCache &cache, StringRef key) {
  cache.store(outputKey(key, results.format), results.output);
  if (!results.report.empty())
    cache.store(reportKey(key), results.report);
  cache.prune();
}

/// Reads the input always, so that what is wrong with it is said; all else is
/// kept, unless there is something to say about it.
static ExitCode compileWithCache(const CompileRun &run,
                                 const CompileCache &cache) {
  std::unique_ptr<Compilation> compilation =
      Compilation::read(run.input, run.options);
  if (!compilation)
    return kBadInput;
  if (ExitCode code = checkAgainstInput(run.arguments, *compilation))
    return code;
  std::optional<std::string> key = compileKey(*compilation);
  std::optional<CompileResults> results;
  if (key)
    results = findResults(run, *compilation, cache, *key);
  if (results)
    return writeResults(run, *results);

  uint64_t said = errs().tell();
  if (!compilation->tune() || !isMadeAsDesigned(*compilation))
    return kBadInput;
  results = makeResults(run, *compilation, {});
  if (!results)
    return kBadInput;
  if (key && errs().tell() == said)
    keepResults(*results, cache, *key);
  return writeResults(run, *results);
}

//===----------------------------------------------------------------------===//
// Without
//===----------------------------------------------------------------------===//

static ExitCode compileAnew(const CompileRun &run) {
  std::vector<KernelSearch> searches;
  std::unique_ptr<Compilation> compilation = compileWithSearch(
      run.input, run.options, run.search, run.arguments, searches);
  if (!compilation)
    return kBadInput;
  if (ExitCode code = checkAgainstInput(run.arguments, *compilation))
    return code;
  std::optional<CompileResults> results =
      makeResults(run, *compilation, searches);
  if (!results)
    return kBadInput;
  if (run.arguments.hasArg(OPT_explain))
    printExplanation(*compilation, errs());
  StringRef stepsPath = run.arguments.getLastArgValue(OPT_dump_steps);
  if (!stepsPath.empty())
    if (Error error = writeSteps(*compilation, stepsPath)) {
      printError(stepsPath, std::move(error));
      return kBadInput;
    }
  return writeResults(run, *results);
}

int gpuopt::runCompile(const InputArgList &arguments) {
  std::optional<std::string> input = inputFile(arguments);
  if (!input)
    return kBadUsage;
  Expected<CompileOptions> options =
      compileOptions(arguments, /*forAllSizes=*/false);
  if (!options)
    return usageError(toString(options.takeError()));
  StringRef emit = arguments.getLastArgValue(OPT_emit);
  if (!emit.empty() && !findOutputFormat(emit))
    return usageError("--emit takes " + outputFormatNames() + ", found '" +
                      emit + "'");
  options->keepSteps = !arguments.getLastArgValue(OPT_dump_steps).empty();
  options->matrixUnits = !options->keepSteps && !isSource(emit);
  Expected<SearchOptions> search = searchOptions(arguments);
  if (!search)
    return usageError(toString(search.takeError()));

  CompileRun run = {arguments, *input, std::move(*options), std::move(*search)};
  std::string directory = cacheDirectory();
  CompileCache cache(directory);
  bool isCached =
      usesCache(arguments) && !directory.empty() && cache.limit() > 0;
  return isCached ? compileWithCache(run, cache) : compileAnew(run);
}
