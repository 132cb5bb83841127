// Stencil whose radius is a parameter.

#include <cuda_runtime.h>

#pragma gpuopt domain(n) array(a : n + 2 * r) array(w : 2 * r + 1) array(b : n) output(b)
__global__ void stencil1r(const float *__restrict__ a, const float *__restrict__ w,
                          float *__restrict__ b, int n, int r) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float s = 0;
  for (int d = -r; d <= r; d++)
    s += a[i + r + d] * w[d + r];
  b[i] = s;
}
