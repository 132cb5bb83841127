// A polynomial for each element of a matrix.

#include <cuda_runtime.h>

#pragma gpuopt domain(n + m - 1) array(a : n) array(b : m) array(c : n + m - 1) output(c)
__global__ void poly(const float *__restrict__ a, const float *__restrict__ b,
                     float *__restrict__ c, int n, int m) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= n + m - 1)
    return;
  float s = 0;
  for (int i = max(0, x - m + 1); i <= min(x, n - 1); i++)
    s += a[i] * b[x - i];
  c[x] = s;
}
