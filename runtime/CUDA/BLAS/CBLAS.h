//===- CBLAS.h - the functions of CBLAS by type -----------------*- C++ -*-===//

#ifndef RUNTIME_CUDA_BLAS_CBLAS_H
#define RUNTIME_CUDA_BLAS_CBLAS_H

#include "runtime/CUDA/BLAS/Context.h"

#include <cblas.h>

namespace gpuopt::cuda {

inline CBLAS_TRANSPOSE toCBLAS(cublasOperation_t op) {
  return op == CUBLAS_OP_N ? CblasNoTrans : CblasTrans;
}
inline CBLAS_UPLO toCBLAS(cublasFillMode_t half) {
  return half == CUBLAS_FILL_MODE_UPPER ? CblasUpper : CblasLower;
}
inline CBLAS_SIDE toCBLAS(cublasSideMode_t side) {
  return side == CUBLAS_SIDE_LEFT ? CblasLeft : CblasRight;
}
inline CBLAS_DIAG toCBLAS(cublasDiagType_t diagonal) {
  return diagonal == CUBLAS_DIAG_UNIT ? CblasUnit : CblasNonUnit;
}

inline bool isOperation(cublasOperation_t op) {
  return op == CUBLAS_OP_N || op == CUBLAS_OP_T || op == CUBLAS_OP_C;
}
inline bool isHalf(cublasFillMode_t half) {
  return half == CUBLAS_FILL_MODE_LOWER || half == CUBLAS_FILL_MODE_UPPER;
}

/// Matrices are stored by columns, as everywhere in cuBLAS.
inline void gemm(CBLAS_TRANSPOSE opA, CBLAS_TRANSPOSE opB, int m, int n, int k,
                 float alpha, const float *a, int lda, const float *b, int ldb,
                 float beta, float *c, int ldc) {
  cblas_sgemm(CblasColMajor, opA, opB, m, n, k, alpha, a, lda, b, ldb, beta, c,
              ldc);
}
inline void gemm(CBLAS_TRANSPOSE opA, CBLAS_TRANSPOSE opB, int m, int n, int k,
                 double alpha, const double *a, int lda, const double *b,
                 int ldb, double beta, double *c, int ldc) {
  cblas_dgemm(CblasColMajor, opA, opB, m, n, k, alpha, a, lda, b, ldb, beta, c,
              ldc);
}

} // namespace gpuopt::cuda

#endif // RUNTIME_CUDA_BLAS_CBLAS_H
