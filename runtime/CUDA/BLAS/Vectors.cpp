//===- Vectors.cpp - cuBLAS on vectors ------------------------------------===//

#include "runtime/CUDA/BLAS/CBLAS.h"

using namespace gpuopt::cuda;

/// The functions of one type: `PREFIX` is CBLAS's, `KIND` and `INDEX` cuBLAS's.
/// Of nothing, a sum is 0 and the place of the largest element, too.
#define DEFINE_VECTORS(PREFIX, KIND, INDEX, T)                                 \
  cublasStatus_t cublas##KIND##axpy_v2(cublasHandle_t handle, int n,           \
                                       const T *alpha, const T *x, int xStep,  \
                                       T *y, int yStep) {                      \
    return run(handle, alpha != nullptr,                                       \
               [&] { cblas_##PREFIX##axpy(n, *alpha, x, xStep, y, yStep); });  \
  }                                                                            \
  cublasStatus_t cublas##KIND##copy_v2(                                        \
      cublasHandle_t handle, int n, const T *x, int xStep, T *y, int yStep) {  \
    return run(handle, true,                                                   \
               [&] { cblas_##PREFIX##copy(n, x, xStep, y, yStep); });          \
  }                                                                            \
  cublasStatus_t cublas##KIND##swap_v2(cublasHandle_t handle, int n, T *x,     \
                                       int xStep, T *y, int yStep) {           \
    return run(handle, true,                                                   \
               [&] { cblas_##PREFIX##swap(n, x, xStep, y, yStep); });          \
  }                                                                            \
  cublasStatus_t cublas##KIND##scal_v2(cublasHandle_t handle, int n,           \
                                       const T *alpha, T *x, int xStep) {      \
    return run(handle, alpha != nullptr,                                       \
               [&] { cblas_##PREFIX##scal(n, *alpha, x, xStep); });            \
  }                                                                            \
  cublasStatus_t cublas##KIND##dot_v2(cublasHandle_t handle, int n,            \
                                      const T *x, int xStep, const T *y,       \
                                      int yStep, T *result) {                  \
    return run(handle, result != nullptr,                                      \
               [&] { *result = cblas_##PREFIX##dot(n, x, xStep, y, yStep); }); \
  }                                                                            \
  cublasStatus_t cublas##KIND##nrm2_v2(cublasHandle_t handle, int n,           \
                                       const T *x, int xStep, T *result) {     \
    return run(handle, result != nullptr, [&] {                                \
      *result = xStep > 0 ? cblas_##PREFIX##nrm2(n, x, xStep) : 0;             \
    });                                                                        \
  }                                                                            \
  cublasStatus_t cublas##KIND##asum_v2(cublasHandle_t handle, int n,           \
                                       const T *x, int xStep, T *result) {     \
    return run(handle, result != nullptr, [&] {                                \
      *result = xStep > 0 ? cblas_##PREFIX##asum(n, x, xStep) : 0;             \
    });                                                                        \
  }                                                                            \
  cublasStatus_t cublas##INDEX##amax_v2(cublasHandle_t handle, int n,          \
                                        const T *x, int xStep, int *result) {  \
    return run(handle, result != nullptr, [&] {                                \
      bool isEmpty = n <= 0 || xStep <= 0;                                     \
      *result = isEmpty ? 0 : int(cblas_i##PREFIX##amax(n, x, xStep)) + 1;     \
    });                                                                        \
  }

DEFINE_VECTORS(s, S, Is, float)
DEFINE_VECTORS(d, D, Id, double)
