//===- Sanitize.h - does a program keep the rules? --------------*- C++ -*-===//
//
// `gpuopt run --sanitize`: kernels run as they are written, and what is wrong
// on any device is said: races, accesses outside of allocations, reads of
// memory that nobody has written, barriers that not all threads reach. When the
// program ends, so is memory that it has not freed.
//
//===----------------------------------------------------------------------===//

#ifndef RUNTIME_CUDA_SANITIZE_H
#define RUNTIME_CUDA_SANITIZE_H

#include "runtime/CUDA/LaunchCheck.h"

namespace gpuopt::cuda {

/// Runs the untouched kernel by `runOriginal`.
llvm::Error sanitizeLaunch(DeviceCode &code, LaunchRecord &record,
                           RunOn runOriginal);

} // namespace gpuopt::cuda

#endif // RUNTIME_CUDA_SANITIZE_H
