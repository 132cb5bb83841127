//===- RunLimits.cpp - launches that a limit ends -------------------------===//

#include "tools/lib/launch/RunLimits.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace gpuopt;
using Kind = ExecutionFault::Kind;

static bool has(llvm::ArrayRef<ExecutionFault> faults, Kind kind) {
  return llvm::any_of(
      faults, [&](const ExecutionFault &fault) { return fault.kind == kind; });
}

bool gpuopt::wasInterrupted(llvm::ArrayRef<ExecutionFault> faults) {
  return has(faults, Kind::Interrupted);
}

bool gpuopt::isEndless(llvm::ArrayRef<ExecutionFault> faults) {
  return has(faults, Kind::Timeout) || has(faults, Kind::StepLimit) ||
         has(faults, Kind::Stall) || wasInterrupted(faults);
}

bool gpuopt::wasCutShort(llvm::ArrayRef<ExecutionFault> faults) {
  return isEndless(faults) || has(faults, Kind::FaultLimit);
}

llvm::SmallVector<llvm::StringRef>
gpuopt::limitAdvice(llvm::ArrayRef<ExecutionFault> faults) {
  llvm::SmallVector<llvm::StringRef> advice;
  if (has(faults, Kind::Timeout))
    advice.push_back("--time-limit SECONDS gives each launch more time");
  if (has(faults, Kind::StepLimit))
    advice.push_back("--max-steps STEPS lets each work item take more steps");
  return advice;
}

static uint64_t workItems(const LaunchConfig &config) {
  uint64_t items = 1;
  for (const Dim3 &dims : {config.grid, config.block})
    for (int64_t extent : dims)
      items = llvm::SaturatingMultiply<uint64_t>(items, extent);
  return items;
}

uint64_t gpuopt::maxStepsOfTuned(uint64_t maxSteps,
                                 const LaunchConfig &original,
                                 const LaunchConfig &tuned) {
  uint64_t share = llvm::divideCeil(workItems(original),
                                    std::max<uint64_t>(1, workItems(tuned)));
  return llvm::SaturatingMultiply(maxSteps, 2 * std::max<uint64_t>(1, share));
}
