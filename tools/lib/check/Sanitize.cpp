//===- Sanitize.cpp - does a kernel keep the rules? -----------------------===//

#include "tools/lib/check/Sanitize.h"

#include "tools/lib/launch/HostVariables.h"
#include "tools/lib/launch/RunLimits.h"

#include "llvm/Support/WithColor.h"

using namespace gpuopt;
using llvm::Expected;
namespace json = llvm::json;

/// The executor keeps records of twelve times the arrays; larger ones it does
/// not watch (LaunchRun.cpp).
static llvm::Error checkDataSize(const Problem &problem) {
  static constexpr uint64_t limit = 256 << 20;
  if (problem.arrayBytes() <= limit)
    return llvm::Error::success();
  return llvm::createStringError(
      "the arrays have more than 256 MiB; take a smaller --size");
}

Expected<KernelSanity>
gpuopt::sanitizeKernel(const Compilation &compilation, const KernelInfo &kernel,
                       const RunOptions &run, ProgressLine *progress,
                       double maxSeconds, uint64_t maxSteps,
                       const std::atomic<bool> *stop) {
  Expected<Problem> problem = Problem::create(compilation, kernel, run);
  if (!problem)
    return problem.takeError();
  if (llvm::Error error = checkDataSize(*problem))
    return error;
  CPUExecutorOptions settings;
  settings.subgroupSize = compilation.target().getSubgroupSize();
  settings.maxSeconds = maxSeconds;
  settings.maxSteps = maxSteps;
  settings.stop = stop;
  settings.checkRaces = true;
  settings.checkUninitialised = true;
  settings.compileQuickly = true;
  if (progress) {
    settings.progress = [progress](int64_t started, int64_t blocks) {
      progress->update(started, blocks);
    };
    progress->start(kernel.displayName);
  }
  llvm::LLVMContext context;
  auto module = compilation.untouched(context);
  if (!module)
    return module.takeError();
  auto executor = CPUExecutor::create(**module, settings);
  if (!executor)
    return executor.takeError();
  if (llvm::Error error =
          fillVariables(**executor, findHostVariables(**module), run))
    return error;
  auto result = (*executor)->launch(kernel.symbol, problem->launch(),
                                    problem->arguments());
  if (progress)
    progress->clear();
  if (!result)
    return result.takeError();
  KernelSanity sanity;
  sanity.kernel = kernel;
  sanity.launch = problem->launch();
  sanity.madeUpIntegers = problem->madeUpIntegers();
  sanity.faults = std::move(result->faults);
  sanity.faultCount = result->faultCount;
  return sanity;
}

static std::string shapeText(const Dim3 &dim) {
  return std::to_string(dim[0]) + "x" + std::to_string(dim[1]) + "x" +
         std::to_string(dim[2]);
}

void gpuopt::printSanity(const KernelSanity &sanity, llvm::raw_ostream &os) {
  for (const ExecutionFault &fault : sanity.faults) {
    if (!fault.location.empty())
      os << fault.location << ": ";
    llvm::WithColor::error(os)
        << faultName(fault.kind) << ": " << fault.message << '\n';
  }
  if (leavesArrays(sanity.faults) && !sanity.madeUpIntegers.empty())
    os << blameInputs(sanity.madeUpIntegers) << '\n';
  for (llvm::StringRef advice : limitAdvice(sanity.faults))
    os << advice << '\n';
  os << sanity.kernel.displayName << ": " << shapeText(sanity.launch.grid)
     << " blocks of " << shapeText(sanity.launch.block) << ", ";
  if (sanity.faultCount == 0)
    os << "clean\n";
  else
    os << sanity.faultCount << (sanity.faultCount == 1 ? " fault" : " faults")
       << '\n';
}

json::Object gpuopt::makeReport(const KernelSanity &sanity) {
  json::Array faults;
  for (const ExecutionFault &fault : sanity.faults)
    faults.push_back(json::Object{{"kind", faultName(fault.kind)},
                                  {"location", fault.location},
                                  {"message", fault.message}});
  return json::Object{
      {"kernel", sanity.kernel.displayName},
      {"grid", json::Array{sanity.launch.grid[0], sanity.launch.grid[1],
                           sanity.launch.grid[2]}},
      {"block", json::Array{sanity.launch.block[0], sanity.launch.block[1],
                            sanity.launch.block[2]}},
      {"fault_count", sanity.faultCount},
      {"faults", std::move(faults)}};
}
