// Matrix product of column-major arrays.

#include <cuda_runtime.h>

#pragma gpuopt domain(m, n) array(a : m, k) array(b : k, n) array(c : m, n) output(c)
__global__ void mm_col(const float *__restrict__ a, const float *__restrict__ b,
                       float *__restrict__ c, int m, int n, int k) {
  int row = blockIdx.x * blockDim.x + threadIdx.x, col = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || col >= n)
    return;
  float s = 0;
  for (int i = 0; i < k; i++)
    s += a[row * k + i] * b[i * n + col];
  c[row * n + col] = s;
}
