// Seven-point heat step in three dimensions.

#include <cuda_runtime.h>

#pragma gpuopt domain(n, n, n) array(a : n, n, n) array(b : n, n, n) output(b)
__global__ void heat3(const double *__restrict__ a, double *__restrict__ b, int n) {
  int k = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y,
      i = blockIdx.z * blockDim.z + threadIdx.z;
  if (i > 0 && j > 0 && k > 0 && i < n - 1 && j < n - 1 && k < n - 1) {
    int c = (i * n + j) * n + k, s = n * n;
    b[c] = 0.125 * (a[c + s] - 2.0 * a[c] + a[c - s]) + 0.125 * (a[c + n] - 2.0 * a[c] + a[c - n]) +
           0.125 * (a[c + 1] - 2.0 * a[c] + a[c - 1]) + a[c];
  }
}
