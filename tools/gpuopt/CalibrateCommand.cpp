//===- CalibrateCommand.cpp - gpuopt calibrate ----------------------------===//

#include "dialects/GPUOpt/KnownTargets.h"
#include "runtime/Offload/Calibrate.h"
#include "tools/gpuopt/CommandLine.h"
#include "tools/gpuopt/Outputs.h"
#include "tools/lib/compile/Diagnostics.h"

using namespace gpuopt;
using namespace llvm;

/// The figures of a device by the description of `target`.
static void describeDevice(TargetAttr target, offload::Machine &machine) {
  // A multiplication with an addition counts for two there.
  machine.deviceOperations = target.getF32Gflops() / 2.0;
  machine.deviceBandwidth = target.getBandwidthGbps();
  machine.deviceThreads = double(target.getMultiprocessors()) *
                          target.getThreadsPerMultiprocessor();
}

int gpuopt::runCalibrate(const opt::InputArgList &arguments) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  if (arguments.hasArg(OPT_INPUT))
    return usageError("'calibrate' takes no input file");
  StringRef name = arguments.getLastArgValue(OPT_target, "sm_90");
  Expected<TargetAttr> target = lookUpTarget(&context, name);
  if (!target)
    return usageError(toString(target.takeError()));
  offload::Machine machine;
  describeDevice(*target, machine);
  offload::measureHost(machine);
  std::string text = "# The host as 'gpuopt calibrate' has measured it, the "
                     "device as " +
                     target->getTargetName().str() +
                     " is described,\n# the link and what a launch takes as "
                     "they are assumed.\n" +
                     offload::machineText(machine);
  StringRef output = arguments.getLastArgValue(OPT_o, "-");
  if (Error error = writeOutput(output, text)) {
    printError(output, std::move(error));
    return kBadInput;
  }
  return kDone;
}
