//===- Context.h - what the functions of cuBLAS begin with ------*- C++ -*-===//
//
// `libgpuopt_cublas`: cuBLAS for programs that `gpuopt cc` has linked, on a
// CBLAS library of the machine's. The device's memory is the machine's, and
// what kernels do is done when their launch returns, so that each call is one
// of CBLAS, behind the checks of arguments that cuBLAS makes: CBLAS would end
// the program.
//
//===----------------------------------------------------------------------===//

#ifndef RUNTIME_CUDA_BLAS_CONTEXT_H
#define RUNTIME_CUDA_BLAS_CONTEXT_H

#include "runtime/CUDA/API.h"

#include "gpuopt/cublaslt.h"

#include <algorithm>
#include <initializer_list>

/// What `cublasCreate` makes. All of it are wishes, but for what is asked back.
struct cublasContext {
  cudaStream_t stream = nullptr;
  cublasPointerMode_t pointerMode = CUBLAS_POINTER_MODE_HOST;
  cublasMath_t math = CUBLAS_DEFAULT_MATH;
  cublasAtomicsMode_t atomics = CUBLAS_ATOMICS_NOT_ALLOWED;
};

/// Whether programs run on a GPU, where this library can do nothing, which is
/// said then.
extern "C" bool __cudaRefuseLibraryOnGPU(const char *name);

/// Tells the runtime, which cannot see it, that a library has written to memory
/// of the device.
extern "C" void __cudaNoteLibraryWrites(void);

namespace gpuopt::cuda {

/// Whether work can be done at all: there is a handle, and nothing has ended
/// the program's work on the device.
inline cublasStatus_t begin(const void *handle) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (__cudaRefuseLibraryOnGPU("libgpuopt_cublas"))
    return CUBLAS_STATUS_NOT_SUPPORTED;
  return cudaDeviceSynchronize() == cudaSuccess
             ? CUBLAS_STATUS_SUCCESS
             : CUBLAS_STATUS_EXECUTION_FAILED;
}

/// Whether all sizes are at least 0.
template <class... Sizes>
bool areSizes(Sizes... sizes) {
  return ((sizes >= 0) && ...);
}

/// Whether a matrix with `rows` can have columns `leading` elements apart.
inline bool isLeading(int64_t leading, int64_t rows) {
  return leading >= std::max<int64_t>(1, rows);
}

/// Calls `function` where there is a handle and the arguments are right.
template <class Function>
cublasStatus_t run(cublasHandle_t handle, bool isRight, Function function) {
  if (cublasStatus_t status = begin(handle))
    return status;
  if (!isRight)
    return CUBLAS_STATUS_INVALID_VALUE;
  function();
  __cudaNoteLibraryWrites();
  return CUBLAS_STATUS_SUCCESS;
}

} // namespace gpuopt::cuda

#endif // RUNTIME_CUDA_BLAS_CONTEXT_H
