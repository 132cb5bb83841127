//===- Context.cpp - handles of cuBLAS, and copies ------------------------===//

#include "runtime/CUDA/BLAS/Context.h"

#include <cstring>

using namespace gpuopt::cuda;

/// The version whose functions the prelude declares.
static constexpr int kVersion = 120400;

/// Gives what a handle remembers.
template <class T>
static cublasStatus_t give(cublasHandle_t handle, T *place,
                           T cublasContext::*member) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!place)
    return CUBLAS_STATUS_INVALID_VALUE;
  *place = handle->*member;
  return CUBLAS_STATUS_SUCCESS;
}

template <class T>
static cublasStatus_t set(cublasHandle_t handle, T value,
                          T cublasContext::*member) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  handle->*member = value;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasCreate(cublasHandle_t *handle) {
  if (!handle)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (cublasStatus_t status = begin(handle))
    return status;
  *handle = new cublasContext;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasDestroy(cublasHandle_t handle) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  delete handle;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetVersion(cublasHandle_t, int *version) {
  if (!version)
    return CUBLAS_STATUS_INVALID_VALUE;
  *version = kVersion;
  return CUBLAS_STATUS_SUCCESS;
}

#define FOR_ALL_STATUSES(DO)                                                   \
  DO(SUCCESS, "the operation completed successfully")                          \
  DO(NOT_INITIALIZED, "the library was not initialized")                       \
  DO(ALLOC_FAILED, "the resource allocation failed")                           \
  DO(INVALID_VALUE, "an invalid value was used as an argument")                \
  DO(ARCH_MISMATCH, "an absent device architectural feature is required")      \
  DO(MAPPING_ERROR, "an access to memory space failed")                        \
  DO(EXECUTION_FAILED, "the function failed to launch on the GPU")             \
  DO(INTERNAL_ERROR, "an internal operation failed")                           \
  DO(NOT_SUPPORTED, "the requested functionality is not supported")            \
  DO(LICENSE_ERROR, "an error occurred when checking the license")

const char *cublasGetStatusName(cublasStatus_t status) {
#define NAME(STATUS, MEANING)                                                  \
  if (status == CUBLAS_STATUS_##STATUS)                                        \
    return "CUBLAS_STATUS_" #STATUS;
  FOR_ALL_STATUSES(NAME)
#undef NAME
  return "CUBLAS_STATUS_UNKNOWN";
}

const char *cublasGetStatusString(cublasStatus_t status) {
#define MEANING(STATUS, TEXT)                                                  \
  if (status == CUBLAS_STATUS_##STATUS)                                        \
    return TEXT;
  FOR_ALL_STATUSES(MEANING)
#undef MEANING
  return "unknown status";
}

cublasStatus_t cublasSetWorkspace(cublasHandle_t handle, void *, size_t) {
  // None is needed.
  return handle ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_INITIALIZED;
}

cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream) {
  return set(handle, stream, &cublasContext::stream);
}
cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t *stream) {
  return give(handle, stream, &cublasContext::stream);
}
cublasStatus_t cublasSetPointerMode(cublasHandle_t handle,
                                    cublasPointerMode_t mode) {
  return set(handle, mode, &cublasContext::pointerMode);
}
cublasStatus_t cublasGetPointerMode(cublasHandle_t handle,
                                    cublasPointerMode_t *mode) {
  return give(handle, mode, &cublasContext::pointerMode);
}
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode) {
  return set(handle, mode, &cublasContext::math);
}
cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t *mode) {
  return give(handle, mode, &cublasContext::math);
}
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle,
                                    cublasAtomicsMode_t mode) {
  return set(handle, mode, &cublasContext::atomics);
}
cublasStatus_t cublasGetAtomicsMode(cublasHandle_t handle,
                                    cublasAtomicsMode_t *mode) {
  return give(handle, mode, &cublasContext::atomics);
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

/// Copies `count` pieces of `bytes`, which begin that far apart.
static cublasStatus_t copy(int count, int64_t bytes, const void *from,
                           int64_t fromPitch, void *to, int64_t toPitch) {
  if (count == 0 || bytes == 0)
    return CUBLAS_STATUS_SUCCESS;
  return cudaMemcpy2D(to, toPitch, from, fromPitch, bytes, count,
                      cudaMemcpyDefault) == cudaSuccess
             ? CUBLAS_STATUS_SUCCESS
             : CUBLAS_STATUS_MAPPING_ERROR;
}

static cublasStatus_t copyVector(int n, int bytes, const void *from,
                                 int fromStep, void *to, int toStep) {
  if (!areSizes(n) || bytes <= 0 || fromStep <= 0 || toStep <= 0)
    return CUBLAS_STATUS_INVALID_VALUE;
  return copy(n, bytes, from, int64_t(fromStep) * bytes, to,
              int64_t(toStep) * bytes);
}

static cublasStatus_t copyMatrix(int rows, int columns, int bytes,
                                 const void *from, int fromLeading, void *to,
                                 int toLeading) {
  if (!areSizes(rows, columns) || bytes <= 0 || !isLeading(fromLeading, rows) ||
      !isLeading(toLeading, rows))
    return CUBLAS_STATUS_INVALID_VALUE;
  return copy(columns, int64_t(rows) * bytes, from,
              int64_t(fromLeading) * bytes, to, int64_t(toLeading) * bytes);
}

cublasStatus_t cublasSetVector(int n, int bytes, const void *host, int hostStep,
                               void *device, int deviceStep) {
  return copyVector(n, bytes, host, hostStep, device, deviceStep);
}
cublasStatus_t cublasGetVector(int n, int bytes, const void *device,
                               int deviceStep, void *host, int hostStep) {
  return copyVector(n, bytes, device, deviceStep, host, hostStep);
}
cublasStatus_t cublasSetMatrix(int rows, int columns, int bytes,
                               const void *host, int hostLeading, void *device,
                               int deviceLeading) {
  return copyMatrix(rows, columns, bytes, host, hostLeading, device,
                    deviceLeading);
}
cublasStatus_t cublasGetMatrix(int rows, int columns, int bytes,
                               const void *device, int deviceLeading,
                               void *host, int hostLeading) {
  return copyMatrix(rows, columns, bytes, device, deviceLeading, host,
                    hostLeading);
}
