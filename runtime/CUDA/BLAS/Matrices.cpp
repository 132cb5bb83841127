//===- Matrices.cpp - cuBLAS on matrices of one type ----------------------===//

#include "runtime/CUDA/BLAS/CBLAS.h"

using namespace gpuopt::cuda;

namespace {
/// The sizes of a product of matrices, and whether they are right.
struct ProductShape {
  cublasOperation_t opA, opB;
  int m, n, k, lda, ldb, ldc;

  bool isRight() const {
    return isOperation(opA) && isOperation(opB) && areSizes(m, n, k) &&
           isLeading(lda, opA == CUBLAS_OP_N ? m : k) &&
           isLeading(ldb, opB == CUBLAS_OP_N ? k : n) && isLeading(ldc, m);
  }
  template <class T>
  void run(T alpha, const T *a, const T *b, T beta, T *c) const {
    gemm(toCBLAS(opA), toCBLAS(opB), m, n, k, alpha, a, lda, b, ldb, beta, c,
         ldc);
  }
};
} // namespace

/// The functions of one type: `PREFIX` is CBLAS's, `KIND` cuBLAS's.
#define DEFINE_MATRICES(PREFIX, KIND, T)                                       \
  cublasStatus_t cublas##KIND##gemv_v2(                                        \
      cublasHandle_t handle, cublasOperation_t op, int m, int n,               \
      const T *alpha, const T *a, int lda, const T *x, int xStep,              \
      const T *beta, T *y, int yStep) {                                        \
    bool isRight = isOperation(op) && alpha && beta && areSizes(m, n) &&       \
                   isLeading(lda, m) && xStep && yStep;                        \
    return run(handle, isRight, [&] {                                          \
      cblas_##PREFIX##gemv(CblasColMajor, toCBLAS(op), m, n, *alpha, a, lda,   \
                           x, xStep, *beta, y, yStep);                         \
    });                                                                        \
  }                                                                            \
  cublasStatus_t cublas##KIND##ger_v2(cublasHandle_t handle, int m, int n,     \
                                      const T *alpha, const T *x, int xStep,   \
                                      const T *y, int yStep, T *a, int lda) {  \
    bool isRight =                                                             \
        alpha && areSizes(m, n) && isLeading(lda, m) && xStep && yStep;        \
    return run(handle, isRight, [&] {                                          \
      cblas_##PREFIX##ger(CblasColMajor, m, n, *alpha, x, xStep, y, yStep, a,  \
                          lda);                                                \
    });                                                                        \
  }                                                                            \
  cublasStatus_t cublas##KIND##gemm_v2(                                        \
      cublasHandle_t handle, cublasOperation_t opA, cublasOperation_t opB,     \
      int m, int n, int k, const T *alpha, const T *a, int lda, const T *b,    \
      int ldb, const T *beta, T *c, int ldc) {                                 \
    ProductShape shape{opA, opB, m, n, k, lda, ldb, ldc};                      \
    return run(handle, alpha && beta && shape.isRight(),                       \
               [&] { shape.run(*alpha, a, b, *beta, c); });                    \
  }                                                                            \
  cublasStatus_t cublas##KIND##gemmBatched(                                    \
      cublasHandle_t handle, cublasOperation_t opA, cublasOperation_t opB,     \
      int m, int n, int k, const T *alpha, const T *const a[], int lda,        \
      const T *const b[], int ldb, const T *beta, T *const c[], int ldc,       \
      int batches) {                                                           \
    ProductShape shape{opA, opB, m, n, k, lda, ldb, ldc};                      \
    bool isRight = alpha && beta && shape.isRight() && areSizes(batches);      \
    return run(handle, isRight, [&] {                                          \
      for (int i = 0; i < batches; ++i)                                        \
        shape.run(*alpha, a[i], b[i], *beta, c[i]);                            \
    });                                                                        \
  }                                                                            \
  cublasStatus_t cublas##KIND##gemmStridedBatched(                             \
      cublasHandle_t handle, cublasOperation_t opA, cublasOperation_t opB,     \
      int m, int n, int k, const T *alpha, const T *a, int lda,                \
      long long strideA, const T *b, int ldb, long long strideB,               \
      const T *beta, T *c, int ldc, long long strideC, int batches) {          \
    ProductShape shape{opA, opB, m, n, k, lda, ldb, ldc};                      \
    bool isRight = alpha && beta && shape.isRight() && areSizes(batches);      \
    return run(handle, isRight, [&] {                                          \
      for (int i = 0; i < batches; ++i)                                        \
        shape.run(*alpha, a + i * strideA, b + i * strideB, *beta,             \
                  c + i * strideC);                                            \
    });                                                                        \
  }                                                                            \
  cublasStatus_t cublas##KIND##syrk_v2(                                        \
      cublasHandle_t handle, cublasFillMode_t half, cublasOperation_t op,      \
      int n, int k, const T *alpha, const T *a, int lda, const T *beta, T *c,  \
      int ldc) {                                                               \
    bool isRight = isHalf(half) && isOperation(op) && alpha && beta &&         \
                   areSizes(n, k) && isLeading(ldc, n) &&                      \
                   isLeading(lda, op == CUBLAS_OP_N ? n : k);                  \
    return run(handle, isRight, [&] {                                          \
      cblas_##PREFIX##syrk(CblasColMajor, toCBLAS(half), toCBLAS(op), n, k,    \
                           *alpha, a, lda, *beta, c, ldc);                     \
    });                                                                        \
  }                                                                            \
  cublasStatus_t cublas##KIND##trsm_v2(                                        \
      cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t half,     \
      cublasOperation_t op, cublasDiagType_t diagonal, int m, int n,           \
      const T *alpha, const T *a, int lda, T *b, int ldb) {                    \
    bool isRight = isHalf(half) && isOperation(op) && alpha &&                 \
                   areSizes(m, n) && isLeading(ldb, m) &&                      \
                   isLeading(lda, side == CUBLAS_SIDE_LEFT ? m : n);           \
    return run(handle, isRight, [&] {                                          \
      cblas_##PREFIX##trsm(CblasColMajor, toCBLAS(side), toCBLAS(half),        \
                           toCBLAS(op), toCBLAS(diagonal), m, n, *alpha, a,    \
                           lda, b, ldb);                                       \
    });                                                                        \
  }

DEFINE_MATRICES(s, S, float)
DEFINE_MATRICES(d, D, double)
