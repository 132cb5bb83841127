// cuBLAS as programs call it, with the values that the SDK has: what
// libgpuopt_cublas (runtime/CUDA/BLAS) does. A program that calls another
// function does not compile, or does not link.

#pragma once

#define CUBLAS_API_H_

enum cudaDataType_t { CUDA_R_32F = 0, CUDA_R_64F = 1, CUDA_R_16F = 2, CUDA_R_8I = 3, CUDA_C_32F = 4, CUDA_C_64F = 5, CUDA_R_8U = 8, CUDA_R_32I = 10, CUDA_R_16BF = 14 };
typedef cudaDataType_t cudaDataType;
typedef cudaDataType_t cublasDataType_t;

enum cublasStatus_t {
  CUBLAS_STATUS_SUCCESS = 0,
  CUBLAS_STATUS_NOT_INITIALIZED = 1,
  CUBLAS_STATUS_ALLOC_FAILED = 3,
  CUBLAS_STATUS_INVALID_VALUE = 7,
  CUBLAS_STATUS_ARCH_MISMATCH = 8,
  CUBLAS_STATUS_MAPPING_ERROR = 11,
  CUBLAS_STATUS_EXECUTION_FAILED = 13,
  CUBLAS_STATUS_INTERNAL_ERROR = 14,
  CUBLAS_STATUS_NOT_SUPPORTED = 15,
  CUBLAS_STATUS_LICENSE_ERROR = 16
};
typedef cublasStatus_t cublasStatus;
enum cublasOperation_t { CUBLAS_OP_N = 0, CUBLAS_OP_T = 1, CUBLAS_OP_C = 2 };
enum cublasFillMode_t { CUBLAS_FILL_MODE_LOWER = 0, CUBLAS_FILL_MODE_UPPER = 1, CUBLAS_FILL_MODE_FULL = 2 };
enum cublasDiagType_t { CUBLAS_DIAG_NON_UNIT = 0, CUBLAS_DIAG_UNIT = 1 };
enum cublasSideMode_t { CUBLAS_SIDE_LEFT = 0, CUBLAS_SIDE_RIGHT = 1 };
enum cublasPointerMode_t { CUBLAS_POINTER_MODE_HOST = 0, CUBLAS_POINTER_MODE_DEVICE = 1 };
enum cublasAtomicsMode_t { CUBLAS_ATOMICS_NOT_ALLOWED = 0, CUBLAS_ATOMICS_ALLOWED = 1 };
enum cublasMath_t { CUBLAS_DEFAULT_MATH = 0, CUBLAS_TENSOR_OP_MATH = 1, CUBLAS_PEDANTIC_MATH = 2, CUBLAS_TF32_TENSOR_OP_MATH = 3, CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16 };
enum cublasComputeType_t {
  CUBLAS_COMPUTE_16F = 64,
  CUBLAS_COMPUTE_16F_PEDANTIC = 65,
  CUBLAS_COMPUTE_32F = 68,
  CUBLAS_COMPUTE_32F_PEDANTIC = 69,
  CUBLAS_COMPUTE_64F = 70,
  CUBLAS_COMPUTE_64F_PEDANTIC = 71,
  CUBLAS_COMPUTE_32I = 72,
  CUBLAS_COMPUTE_32I_PEDANTIC = 73,
  CUBLAS_COMPUTE_32F_FAST_16F = 74,
  CUBLAS_COMPUTE_32F_FAST_16BF = 75,
  CUBLAS_COMPUTE_32F_FAST_TF32 = 77
};
enum cublasGemmAlgo_t { CUBLAS_GEMM_DFALT = -1, CUBLAS_GEMM_DEFAULT = -1, CUBLAS_GEMM_DFALT_TENSOR_OP = 99, CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99 };

typedef struct cublasContext *cublasHandle_t;

// The names of today's functions; those without the suffix were older ones.
#define cublasCreate cublasCreate_v2
#define cublasDestroy cublasDestroy_v2
#define cublasGetVersion cublasGetVersion_v2
#define cublasSetWorkspace cublasSetWorkspace_v2
#define cublasSetStream cublasSetStream_v2
#define cublasGetStream cublasGetStream_v2
#define cublasSetPointerMode cublasSetPointerMode_v2
#define cublasGetPointerMode cublasGetPointerMode_v2
#define cublasSaxpy cublasSaxpy_v2
#define cublasDaxpy cublasDaxpy_v2
#define cublasScopy cublasScopy_v2
#define cublasDcopy cublasDcopy_v2
#define cublasSswap cublasSswap_v2
#define cublasDswap cublasDswap_v2
#define cublasSscal cublasSscal_v2
#define cublasDscal cublasDscal_v2
#define cublasSdot cublasSdot_v2
#define cublasDdot cublasDdot_v2
#define cublasSnrm2 cublasSnrm2_v2
#define cublasDnrm2 cublasDnrm2_v2
#define cublasSasum cublasSasum_v2
#define cublasDasum cublasDasum_v2
#define cublasIsamax cublasIsamax_v2
#define cublasIdamax cublasIdamax_v2
#define cublasSgemv cublasSgemv_v2
#define cublasDgemv cublasDgemv_v2
#define cublasSger cublasSger_v2
#define cublasDger cublasDger_v2
#define cublasSgemm cublasSgemm_v2
#define cublasDgemm cublasDgemm_v2
#define cublasSsyrk cublasSsyrk_v2
#define cublasDsyrk cublasDsyrk_v2
#define cublasStrsm cublasStrsm_v2
#define cublasDtrsm cublasDtrsm_v2

extern "C" {
cublasStatus_t cublasCreate(cublasHandle_t *handle);
cublasStatus_t cublasDestroy(cublasHandle_t handle);
cublasStatus_t cublasGetVersion(cublasHandle_t handle, int *version);
const char *cublasGetStatusName(cublasStatus_t status);
const char *cublasGetStatusString(cublasStatus_t status);
cublasStatus_t cublasSetWorkspace(cublasHandle_t handle, void *workspace, size_t bytes);
cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream);
cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t *stream);
cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode);
cublasStatus_t cublasGetPointerMode(cublasHandle_t handle, cublasPointerMode_t *mode);
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode);
cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t *mode);
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode);
cublasStatus_t cublasGetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t *mode);

// Copies between host and device, of vectors with strides and of matrices.
cublasStatus_t cublasSetVector(int n, int bytes, const void *host, int hostStep, void *device, int deviceStep);
cublasStatus_t cublasGetVector(int n, int bytes, const void *device, int deviceStep, void *host, int hostStep);
cublasStatus_t cublasSetMatrix(int rows, int columns, int bytes, const void *host, int hostLeading, void *device, int deviceLeading);
cublasStatus_t cublasGetMatrix(int rows, int columns, int bytes, const void *device, int deviceLeading, void *host, int hostLeading);

#define __GPUOPT_BLAS__(KIND, INDEX, T)                                                                                                 \
  cublasStatus_t cublas##KIND##axpy_v2(cublasHandle_t handle, int n, const T *alpha, const T *x, int xStep, T *y, int yStep);           \
  cublasStatus_t cublas##KIND##copy_v2(cublasHandle_t handle, int n, const T *x, int xStep, T *y, int yStep);                           \
  cublasStatus_t cublas##KIND##swap_v2(cublasHandle_t handle, int n, T *x, int xStep, T *y, int yStep);                                 \
  cublasStatus_t cublas##KIND##scal_v2(cublasHandle_t handle, int n, const T *alpha, T *x, int xStep);                                  \
  cublasStatus_t cublas##KIND##dot_v2(cublasHandle_t handle, int n, const T *x, int xStep, const T *y, int yStep, T *result);           \
  cublasStatus_t cublas##KIND##nrm2_v2(cublasHandle_t handle, int n, const T *x, int xStep, T *result);                                 \
  cublasStatus_t cublas##KIND##asum_v2(cublasHandle_t handle, int n, const T *x, int xStep, T *result);                                 \
  cublasStatus_t cublas##INDEX##amax_v2(cublasHandle_t handle, int n, const T *x, int xStep, int *result);                              \
  cublasStatus_t cublas##KIND##gemv_v2(cublasHandle_t handle, cublasOperation_t op, int m, int n, const T *alpha, const T *a, int lda,  \
                                       const T *x, int xStep, const T *beta, T *y, int yStep);                                          \
  cublasStatus_t cublas##KIND##ger_v2(cublasHandle_t handle, int m, int n, const T *alpha, const T *x, int xStep, const T *y,           \
                                      int yStep, T *a, int lda);                                                                        \
  cublasStatus_t cublas##KIND##gemm_v2(cublasHandle_t handle, cublasOperation_t opA, cublasOperation_t opB, int m, int n, int k,        \
                                       const T *alpha, const T *a, int lda, const T *b, int ldb, const T *beta, T *c, int ldc);         \
  cublasStatus_t cublas##KIND##gemmBatched(cublasHandle_t handle, cublasOperation_t opA, cublasOperation_t opB, int m, int n, int k,    \
                                           const T *alpha, const T *const a[], int lda, const T *const b[], int ldb, const T *beta,     \
                                           T *const c[], int ldc, int batches);                                                         \
  cublasStatus_t cublas##KIND##gemmStridedBatched(cublasHandle_t handle, cublasOperation_t opA, cublasOperation_t opB, int m, int n,    \
                                                  int k, const T *alpha, const T *a, int lda, long long strideA, const T *b, int ldb,   \
                                                  long long strideB, const T *beta, T *c, int ldc, long long strideC, int batches);     \
  cublasStatus_t cublas##KIND##syrk_v2(cublasHandle_t handle, cublasFillMode_t half, cublasOperation_t op, int n, int k,                \
                                       const T *alpha, const T *a, int lda, const T *beta, T *c, int ldc);                              \
  cublasStatus_t cublas##KIND##trsm_v2(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t half, cublasOperation_t op,       \
                                       cublasDiagType_t diagonal, int m, int n, const T *alpha, const T *a, int lda, T *b, int ldb);
__GPUOPT_BLAS__(S, Is, float)
__GPUOPT_BLAS__(D, Id, double)
#undef __GPUOPT_BLAS__

// Elements of 16 bits, too.
cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t opA, cublasOperation_t opB, int m, int n, int k, const void *alpha,
                            const void *a, cudaDataType aType, int lda, const void *b, cudaDataType bType, int ldb, const void *beta,
                            void *c, cudaDataType cType, int ldc, cublasComputeType_t compute, cublasGemmAlgo_t algorithm);
cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t opA, cublasOperation_t opB, int m, int n, int k,
                                          const void *alpha, const void *a, cudaDataType aType, int lda, long long strideA, const void *b,
                                          cudaDataType bType, int ldb, long long strideB, const void *beta, void *c, cudaDataType cType,
                                          int ldc, long long strideC, int batches, cublasComputeType_t compute, cublasGemmAlgo_t algorithm);
}
