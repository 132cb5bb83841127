//===- LaunchCheck.h - a launch beside the original kernel's ----*- C++ -*-===//
//
// `gpuopt run --check`: each launch of a tuned kernel runs twice on the data
// that the program has, once as Clang has compiled the source and once tuned,
// and all memory that a kernel can reach is compared, byte by byte.
//
//===----------------------------------------------------------------------===//

#ifndef RUNTIME_CUDA_LAUNCHCHECK_H
#define RUNTIME_CUDA_LAUNCHCHECK_H

#include "runtime/CUDA/LaunchRecord.h"

#include <functional>

namespace gpuopt::cuda {

/// Runs a kernel on an executor; what went wrong in it.
using RunOn = llvm::function_ref<llvm::Expected<cudaError_t>(CPUExecutor &)>;

/// Runs the untouched kernel by `runOriginal` and then the tuned one by
/// `runTuned`, which leave their results in the program's memory and in
/// variables. What the tuned one leaves is what stays.
llvm::Error checkLaunch(Program &program, DeviceCode &code,
                        LaunchRecord &record, RunOn runOriginal,
                        RunOn runTuned);

} // namespace gpuopt::cuda

#endif // RUNTIME_CUDA_LAUNCHCHECK_H
