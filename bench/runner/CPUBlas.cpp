//===- CPUBlas.cpp - the functions of cuBLAS that the runner calls --------===//
//
// Plain loops with the parameters of cuBLAS (column-major matrices, results and
// factors in device memory), for dry runs: they show that the runner passes
// matrices, sides and transpositions as cuBLAS's documentation has them.
//
//===----------------------------------------------------------------------===//

#include <cmath>
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

} // extern "C"
