//===- GeometryOption.cpp - thread geometry by measurements ---------------===//

#include "tools/gpuopt/GeometryOption.h"
#include "tools/lib/compile/Diagnostics.h"
#include "tools/lib/profile/Profile.h"

#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace gpuopt;
using namespace llvm;
using opt::InputArgList;

bool gpuopt::wantsMeasurement(const InputArgList &arguments) {
  return arguments.getLastArgValue(OPT_geometry, "model") == "measured";
}

Error gpuopt::checkGeometryOption(const InputArgList &arguments) {
  StringRef kind = arguments.getLastArgValue(OPT_geometry, "model");
  if (kind != "model" && kind != "measured")
    return createStringError("--geometry takes model or measured, found '" +
                             kind + "'");
  if (wantsMeasurement(arguments) &&
      arguments.getLastArgValue(OPT_search, "none") != "none")
    return createStringError(
        "--geometry measured cannot be combined with --search");
  if (wantsMeasurement(arguments) &&
      arguments.getLastArgValue(OPT_design).contains("fastest="))
    return createStringError(
        "--design names the geometry that --geometry measured is to find");
  return Error::success();
}

/// Says what was measured, for a person.
static void printChoice(const KernelMeasurement &profile) {
  errs() << profile.kernel.displayName
         << ": sectors by which thread dimension is x:";
  for (const GeometryCandidate &candidate : profile.geometries)
    errs() << ' ' << dimensionName(candidate.order[0]) << ' '
           << candidate.sectors;
  const GeometryCandidate *best = profile.bestGeometry();
  errs() << "; chosen: " << dimensionName(best ? best->order[0] : 0) << '\n';
}

/// Runs `kernel` as it is written. Fails, with what is wrong printed, where it
/// cannot run or does what it must not.
static bool measure(const Compilation &compilation, const KernelInfo &kernel,
                    const ProfileOptions &run, Design &design) {
  Expected<KernelMeasurement> profile =
      profileKernel(compilation, kernel, /*tuned=*/false, run);
  if (!profile) {
    printError(kernel.position, profile.takeError());
    return false;
  }
  if (!profile->faults.empty()) {
    const ExecutionFault &fault = profile->faults.front();
    errs() << fault.location << ": ";
    WithColor::error(errs()) << fault.message << '\n';
    return false;
  }
  if (profile->geometries.empty())
    return true;
  printChoice(*profile);
  const GeometryCandidate *best = profile->bestGeometry();
  design.fastest = dimensionName(best ? best->order[0] : 0).str();
  return true;
}

std::unique_ptr<Compilation>
gpuopt::compileWithGeometry(StringRef input, CompileOptions &options,
                            const InputArgList &arguments) {
  std::unique_ptr<Compilation> compilation =
      Compilation::create(input, options);
  if (!compilation || !options.optimize || !wantsMeasurement(arguments))
    return compilation;
  Expected<CheckOptions> run = checkOptions(arguments);
  if (!run) {
    printError(input, run.takeError());
    return nullptr;
  }
  ProgressLine progress(errs());
  ProfileOptions profileOptions;
  profileOptions.run = run->runs.front();
  profileOptions.maxSeconds = run->maxSeconds;
  profileOptions.maxSteps = run->maxSteps;
  if (showsProgress(arguments))
    profileOptions.progress = &progress;
  for (const KernelInfo &kernel : compilation->kernels()) {
    Design &design = options.designs[kernel.symbol];
    design = options.design;
    if (!measure(*compilation, kernel, profileOptions, design))
      return nullptr;
  }
  return Compilation::create(input, options);
}
