//===- KernelLimits.h - what a launch of a kernel may have ------*- C++ -*-===//

#ifndef RUNTIME_CUDA_KERNELLIMITS_H
#define RUNTIME_CUDA_KERNELLIMITS_H

#include "runtime/CUDA/Program.h"

namespace gpuopt::cuda {

/// The rules of a kernel; null where its code cannot be read, or has no such
/// kernel.
const LaunchRules *rulesOf(const Kernel &kernel);

/// The most workgroup memory that a block may have.
int64_t mostSharedBytes(Program &program);

/// The most workgroup memory that a launch may ask for.
int64_t mostDynamicBytes(const Kernel &kernel, const LaunchRules &rules);

/// Blocks of so many threads and bytes that a multiprocessor of the device that
/// is described runs at a time.
int64_t residentBlocks(const DeviceDescription &device, int64_t threads,
                       int64_t bytes);

} // namespace gpuopt::cuda

#endif // RUNTIME_CUDA_KERNELLIMITS_H
