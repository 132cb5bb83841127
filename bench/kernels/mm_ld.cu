// Matrix product with leading dimensions.

#include <cuda_runtime.h>

#pragma gpuopt domain(n, m) array(a : m, lda) array(b : k, ldb) array(c : m, ldc) output(c)
__global__ void mm_ld(const float *__restrict__ a, const float *__restrict__ b,
                      float *__restrict__ c, int m, int n, int k, int lda, int ldb, int ldc) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < n && y < m) {
    float s = 0;
    for (int i = 0; i < k; i++)
      s += a[y * lda + i] * b[i * ldb + x];
    c[y * ldc + x] = s;
  }
}
