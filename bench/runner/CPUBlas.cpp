//===- CPUBlas.cpp - the library functions that the runner calls ----------===//
//
// Plain loops with the parameters of cuBLAS (column-major matrices, results and
// factors in device memory), hipBLAS, cuDNN and bench/peers/cub.cu, for dry
// runs: they show that the runner passes matrices, sides, transpositions,
// borders and strides as the documentation of these has them.
//
//===----------------------------------------------------------------------===//

#include <cmath>
#include <cstddef>
#include <cstdint>

namespace {

/// A column-major matrix, or its transpose, as the callee sees it.
struct Matrix {
  float *data;
  int64_t leading;
  bool isTransposed;
  float &operator()(int64_t row, int64_t column) const {
    return isTransposed ? data[row * leading + column]
                        : data[column * leading + row];
  }
};

} // namespace

extern "C" {

int cublasCreate_v2(void **handle) {
  *handle = nullptr;
  return 0;
}
int cublasSetPointerMode_v2(void *, int mode) { return mode == 1 ? 0 : 7; }
int cublasSetMathMode(void *, int mode) { return mode == 0 ? 0 : 7; }

int cublasSgemm_v2(void *, int transposeA, int transposeB, int m, int n, int k,
                   const float *alpha, float *a, int lda, float *b, int ldb,
                   const float *beta, float *c, int ldc) {
  Matrix left{a, lda, transposeA != 0}, right{b, ldb, transposeB != 0},
      result{c, ldc, false};
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < m; ++i) {
      float sum = 0;
      for (int at = 0; at < k; ++at)
        sum += left(i, at) * right(at, j);
      result(i, j) = *alpha * sum + (*beta ? *beta * result(i, j) : 0);
    }
  return 0;
}

int cublasSgemv_v2(void *handle, int transpose, int m, int n,
                   const float *alpha, float *a, int lda, float *x, int stepX,
                   const float *beta, float *y, int stepY) {
  if (stepX != 1 || stepY != 1)
    return 7;
  int rows = transpose ? n : m, columns = transpose ? m : n;
  return cublasSgemm_v2(handle, transpose, 0, rows, 1, columns, alpha, a, lda,
                        x, columns, beta, y, rows);
}

int cublasSasum_v2(void *, int n, const float *x, int step, float *result) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += std::fabs(x[int64_t(i) * step]);
  *result = float(sum);
  return 0;
}

int cublasScasum_v2(void *handle, int n, const float *x, int step,
                    float *result) {
  return step == 1 ? cublasSasum_v2(handle, 2 * n, x, 1, result) : 7;
}

/// Only X * A = alpha * B with an upper triangle A.
int cublasStrsm_v2(void *, int side, int triangle, int transpose, int unit,
                   int m, int n, const float *alpha, float *a, int lda,
                   float *b, int ldb) {
  if (side != 1 || triangle != 1 || transpose != 0 || unit != 0)
    return 7;
  Matrix factor{a, lda, false}, result{b, ldb, false};
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < m; ++i) {
      float sum = *alpha * result(i, j);
      for (int at = 0; at < j; ++at)
        sum -= result(i, at) * factor(at, j);
      result(i, j) = sum / factor(j, j);
    }
  return 0;
}

int cublasSgeam(void *, int transposeA, int transposeB, int m, int n,
                const float *alpha, float *a, int lda, const float *beta,
                float *b, int ldb, float *c, int ldc) {
  Matrix left{a, lda, transposeA != 0}, right{b, ldb, transposeB != 0},
      result{c, ldc, false};
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < m; ++i)
      result(i, j) = *alpha * left(i, j) + (*beta ? *beta * right(i, j) : 0);
  return 0;
}

int cublasSgemmStridedBatched(void *handle, int transposeA, int transposeB,
                              int m, int n, int k, const float *alpha, float *a,
                              int lda, long long strideA, float *b, int ldb,
                              long long strideB, const float *beta, float *c,
                              int ldc, long long strideC, int batch) {
  for (int i = 0; i < batch; ++i)
    cublasSgemm_v2(handle, transposeA, transposeB, m, n, k, alpha,
                   a + i * strideA, lda, b + i * strideB, ldb, beta,
                   c + i * strideC, ldc);
  return 0;
}

int cublasSdot_v2(void *, int n, const float *x, int stepX, const float *y,
                  int stepY, float *result) {
  double sum = 0;
  for (int64_t i = 0; i < n; ++i)
    sum += double(x[i * stepX]) * y[i * stepY];
  *result = float(sum);
  return 0;
}

/// Only C = diag(x) A.
int cublasSdgmm(void *, int side, int m, int n, float *a, int lda,
                const float *x, int step, float *c, int ldc) {
  if (side != 0)
    return 7;
  for (int j = 0; j < n; ++j)
    for (int64_t i = 0; i < m; ++i)
      c[int64_t(j) * ldc + i] = a[int64_t(j) * lda + i] * x[i * step];
  return 0;
}

/// Only the upper triangle of alpha A^T A + beta C.
int cublasSsyrk_v2(void *, int triangle, int transpose, int n, int k,
                   const float *alpha, float *a, int lda, const float *beta,
                   float *c, int ldc) {
  if (triangle != 1 || transpose != 1)
    return 7;
  Matrix factor{a, lda, false}, result{c, ldc, false};
  for (int j = 0; j < n; ++j)
    for (int i = 0; i <= j; ++i) {
      float sum = 0;
      for (int at = 0; at < k; ++at)
        sum += factor(at, i) * factor(at, j);
      result(i, j) = *alpha * sum + *beta * result(i, j);
    }
  return 0;
}

// --- hipBLAS: the same with numbers of its own. ------------------------------

int hipblasCreate(void **handle) { return cublasCreate_v2(handle); }
int hipblasSetPointerMode(void *handle, int mode) {
  return cublasSetPointerMode_v2(handle, mode);
}
int hipblasSgemm(void *handle, int transposeA, int transposeB, int m, int n,
                 int k, const float *alpha, float *a, int lda, float *b,
                 int ldb, const float *beta, float *c, int ldc) {
  return cublasSgemm_v2(handle, transposeA - 111, transposeB - 111, m, n, k,
                        alpha, a, lda, b, ldb, beta, c, ldc);
}
int hipblasSgemmStridedBatched(void *handle, int transposeA, int transposeB,
                               int m, int n, int k, const float *alpha,
                               float *a, int lda, long long strideA, float *b,
                               int ldb, long long strideB, const float *beta,
                               float *c, int ldc, long long strideC,
                               int batch) {
  return cublasSgemmStridedBatched(handle, transposeA - 111, transposeB - 111,
                                   m, n, k, alpha, a, lda, strideA, b, ldb,
                                   strideB, beta, c, ldc, strideC, batch);
}
int hipblasSgemv(void *handle, int transpose, int m, int n, const float *alpha,
                 float *a, int lda, float *x, int stepX, const float *beta,
                 float *y, int stepY) {
  return cublasSgemv_v2(handle, transpose - 111, m, n, alpha, a, lda, x, stepX,
                        beta, y, stepY);
}
int hipblasSasum(void *handle, int n, const float *x, int step, float *result) {
  return cublasSasum_v2(handle, n, x, step, result);
}
int hipblasScasum(void *handle, int n, const float *x, int step,
                  float *result) {
  return cublasScasum_v2(handle, n, x, step, result);
}
int hipblasSdot(void *handle, int n, const float *x, int stepX, const float *y,
                int stepY, float *result) {
  return cublasSdot_v2(handle, n, x, stepX, y, stepY, result);
}
int hipblasSdgmm(void *handle, int side, int m, int n, float *a, int lda,
                 const float *x, int step, float *c, int ldc) {
  return cublasSdgmm(handle, side - 141, m, n, a, lda, x, step, c, ldc);
}
int hipblasStrsm(void *handle, int side, int triangle, int transpose, int unit,
                 int m, int n, const float *alpha, float *a, int lda, float *b,
                 int ldb) {
  return cublasStrsm_v2(handle, side - 141, triangle == 121, transpose - 111,
                        unit - 131, m, n, alpha, a, lda, b, ldb);
}
int hipblasSsyrk(void *handle, int triangle, int transpose, int n, int k,
                 const float *alpha, float *a, int lda, const float *beta,
                 float *c, int ldc) {
  return cublasSsyrk_v2(handle, triangle == 121, transpose - 111, n, k, alpha,
                        a, lda, beta, c, ldc);
}
int hipblasSgeam(void *handle, int transposeA, int transposeB, int m, int n,
                 const float *alpha, float *a, int lda, const float *beta,
                 float *b, int ldb, float *c, int ldc) {
  return cublasSgeam(handle, transposeA - 111, transposeB - 111, m, n, alpha, a,
                     lda, beta, b, ldb, c, ldc);
}

// --- bench/peers/cub.cu ------------------------------------------------------

const char *gpuopt_cub_absence() { return nullptr; }

int gpuopt_cub_sum(const float *a, const float *, float *result, uint64_t n,
                   void *memory, size_t *bytes) {
  if (!memory) {
    *bytes = 1;
    return 0;
  }
  double sum = 0;
  for (uint64_t i = 0; i < n; ++i)
    sum += a[i];
  *result = float(sum);
  return 0;
}
int gpuopt_cub_abs_sum(const float *a, const float *, float *result, uint64_t n,
                       void *memory, size_t *bytes) {
  if (memory)
    return cublasSasum_v2(nullptr, int(2 * n), a, 1, result);
  *bytes = 1;
  return 0;
}
int gpuopt_cub_dot(const float *a, const float *b, float *result, uint64_t n,
                   void *memory, size_t *bytes) {
  if (memory)
    return cublasSdot_v2(nullptr, int(n), a, 1, b, 1, result);
  *bytes = 1;
  return 0;
}

} // extern "C"
