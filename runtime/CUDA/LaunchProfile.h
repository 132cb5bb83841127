//===- LaunchProfile.h - a launch, request by request -----------*- C++ -*-===//
//
// `gpuopt run --profile`: a launch runs twice on the data that the program has,
// as Clang has compiled the source and tuned, and all requests of both are told
// to who has asked for them (runtime/RequestStream.h).
//
//===----------------------------------------------------------------------===//

#ifndef RUNTIME_CUDA_LAUNCHPROFILE_H
#define RUNTIME_CUDA_LAUNCHPROFILE_H

#include "runtime/CUDA/LaunchRecord.h"

namespace gpuopt::cuda {

/// Runs one version of a kernel on an executor that profiles.
using ProfileOn = llvm::function_ref<llvm::Expected<ExecutionResult>(
    CPUExecutor &, const ProfileRun &)>;

/// Profiles the untouched kernel and then the tuned one, or what the launch
/// falls back to. What that leaves in memory is what stays.
llvm::Error profileLaunch(Program &program, DeviceCode &code,
                          LaunchRecord &record, ProfileOn runOriginal,
                          ProfileOn runTuned);

} // namespace gpuopt::cuda

#endif // RUNTIME_CUDA_LAUNCHPROFILE_H
