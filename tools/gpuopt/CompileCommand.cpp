//===- CompileCommand.cpp - gpuopt compile --------------------------------===//

#include "conversion/EmitBinary/FileOutput.h"
#include "tools/gpuopt/CommandLine.h"
#include "tools/gpuopt/Outputs.h"
#include "tools/gpuopt/SearchOptions.h"
#include "tools/lib/compile/Diagnostics.h"
#include "tools/lib/report/Explain.h"
#include "tools/lib/report/Report.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace gpuopt;
using namespace llvm;
using opt::InputArgList;

namespace {
/// A kind of output: what --emit calls it and how its files end.
struct OutputFormat {
  OutputKind kind;
  StringRef ending;
  bool isBinary;
};
} // namespace

static std::optional<OutputFormat> formatOf(StringRef name) {
  return StringSwitch<std::optional<OutputFormat>>(name)
      .Case("ptx", OutputFormat{OutputKind::PTX, "ptx", false})
      .Case("cubin", OutputFormat{OutputKind::Cubin, "cubin", true})
      .Case("hsaco", OutputFormat{OutputKind::HSACO, "hsaco", true})
      .Case("llvm", OutputFormat{OutputKind::LLVM, "ll", false})
      .Case("mlir", OutputFormat{OutputKind::MLIR, "mlir", false})
      .Case("cuda", OutputFormat{OutputKind::CUDA, "cu", false})
      .Case("hip", OutputFormat{OutputKind::HIP, "hip", false})
      .Case("opencl", OutputFormat{OutputKind::OpenCL, "cl", false})
      .Default(std::nullopt);
}

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

int gpuopt::runCompile(const InputArgList &arguments) {
  std::optional<std::string> input = inputFile(arguments);
  if (!input)
    return kBadUsage;
  Expected<CompileOptions> options =
      compileOptions(arguments, /*forAllSizes=*/false);
  if (!options)
    return usageError(toString(options.takeError()));
  StringRef emit = arguments.getLastArgValue(OPT_emit);
  if (!emit.empty() && !formatOf(emit))
    return usageError("--emit takes ptx, cubin, hsaco, llvm, mlir, cuda, hip "
                      "or opencl, found '" +
                      emit + "'");

  StringRef stepsPath = arguments.getLastArgValue(OPT_dump_steps);
  options->keepSteps = !stepsPath.empty();

  Expected<SearchOptions> search = searchOptions(arguments);
  if (!search)
    return usageError(toString(search.takeError()));
  std::vector<KernelSearch> searches;
  std::unique_ptr<Compilation> compilation =
      compileWithSearch(*input, *options, *search, arguments, searches);
  if (!compilation)
    return kBadInput;
  if (Error error = checkSizeNames(arguments, compilation->kernels()))
    return usageError(toString(std::move(error)));
  if (!canHaveSizes(arguments, compilation->kernels()))
    return kBadInput;
  if (emit.empty())
    emit = compilation->target().getVendor() == Vendor::AMD ? "hsaco" : "ptx";
  OutputFormat format = *formatOf(emit);

  // Everything is made before anything is written.
  Expected<std::string> output = compilation->emit(format.kind);
  if (!output) {
    printError(*input, output.takeError());
    return kBadInput;
  }
  std::string report;
  StringRef reportPath = arguments.getLastArgValue(OPT_report);
  if (!reportPath.empty())
    report = reportText(*compilation, searches);

  if (arguments.hasArg(OPT_explain))
    printExplanation(*compilation, errs());
  if (!stepsPath.empty())
    if (Error error = writeSteps(*compilation, stepsPath)) {
      printError(stepsPath, std::move(error));
      return kBadInput;
    }
  // Where the report cannot be written, there is no output either.
  if (!reportPath.empty() && !writeOrComplain(reportPath, report))
    return kBadInput;
  if (!writeOrComplain(outputPath(arguments, *input, format), *output))
    return kBadInput;
  return kDone;
}
