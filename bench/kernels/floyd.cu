// One step of all shortest paths.

#include <cuda_runtime.h>

#pragma gpuopt domain(n, n) array(d : n, n) output(d)
__global__ void floyd(float *d, int n, int k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < n && y < n && x != k && y != k)
    d[y * n + x] = fminf(d[y * n + x], d[y * n + k] + d[k * n + x]);
}
