//===- GPUFunctions.h - the driver's functions, for GPU*.cpp ----*- C++ -*-===//

#ifndef RUNTIME_CUDA_GPUFUNCTIONS_H
#define RUNTIME_CUDA_GPUFUNCTIONS_H

#include "runtime/CUDA/GPU.h"
#include "runtime/CUDA/StreamScope.h"

namespace gpuopt::cuda {

struct GPU::Functions {
#define DRIVER_FUNCTION(field, name, parameters)                               \
  int(*field) parameters = nullptr;
#include "runtime/CUDA/DriverFunctions.def"
};

/// The driver's errors have the numbers of the API's.
inline cudaError_t errorOf(int error) { return cudaError_t(error); }

inline DriverAddress addressOf(const void *pointer) {
  return reinterpret_cast<DriverAddress>(pointer);
}

/// CU_MEMORYTYPE_ARRAY, and CU_MEMORYTYPE_UNIFIED: memory of which the address
/// tells what kind it is.
inline constexpr unsigned kArrayMemory = 3, kAnyMemory = 4;

/// The stream to put work on; the one that others wait for where none is said.
inline cudaStream_t currentStream() {
  return StreamScope::current().value_or(nullptr);
}

} // namespace gpuopt::cuda

#endif // RUNTIME_CUDA_GPUFUNCTIONS_H
