// Five-point Jacobi step.

#include <cuda_runtime.h>

#pragma gpuopt domain(m, n) array(a : n, m) array(b : n, m) output(b)
__global__ void jacobi2(const float *__restrict__ a, float *__restrict__ b, int n, int m) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && x < m - 1 && y > 0 && y < n - 1)
    b[y * m + x] = 0.2f * (a[y * m + x] + a[y * m + x - 1] + a[y * m + x + 1] + a[(y + 1) * m + x] +
                           a[(y - 1) * m + x]);
}
