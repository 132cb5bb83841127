// One step of an LU factorisation.

#include <cuda_runtime.h>

#pragma gpuopt domain(n, n) array(a : n, n) output(a)
__global__ void lu_step(float *__restrict__ a, int n, int k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > k && y > k && x < n && y < n)
    a[y * n + x] -= a[y * n + k] * a[k * n + x];
}
