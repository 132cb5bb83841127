//===- RunLimits.h - launches that a limit ends -----------------*- C++ -*-===//

#ifndef TOOLS_LIB_LAUNCH_RUNLIMITS_H
#define TOOLS_LIB_LAUNCH_RUNLIMITS_H

#include "runtime/Executor.h"

#include "llvm/ADT/SmallVector.h"

namespace gpuopt {

/// Whether Ctrl-C ended a launch.
bool wasInterrupted(llvm::ArrayRef<ExecutionFault> faults);

/// Whether a kernel did not end in the time, or the steps, that it had.
bool isEndless(llvm::ArrayRef<ExecutionFault> faults);

/// Whether a limit, or Ctrl-C, has ended a launch, so that its results are not
/// complete.
bool wasCutShort(llvm::ArrayRef<ExecutionFault> faults);

/// What helps a kernel that ends later.
llvm::SmallVector<llvm::StringRef>
limitAdvice(llvm::ArrayRef<ExecutionFault> faults);

/// The steps that a work item of the tuned kernel may take where one of the
/// original may take `maxSteps`: it may do the work of several, with further
/// loops around it.
uint64_t maxStepsOfTuned(uint64_t maxSteps, const LaunchConfig &original,
                         const LaunchConfig &tuned);

} // namespace gpuopt

#endif // TOOLS_LIB_LAUNCH_RUNLIMITS_H
