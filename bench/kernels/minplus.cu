// Product in the min-plus algebra.

#include <cuda_runtime.h>

#pragma gpuopt domain(n, n) array(a : n, n) array(c : n, n) output(c)
__global__ void minplus(const int *__restrict__ a, int *__restrict__ c, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= n)
    return;
  int s = 0x7fffffff;
  for (int k = 0; k < n; k++)
    s = min(s, (a[y * n + k] & 1023) + (a[k * n + x] & 1023));
  c[y * n + x] = s;
}
