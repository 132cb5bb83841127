// Matrix product with one size known.

#include <cuda_runtime.h>

#pragma gpuopt domain(128, m) array(a : m, 96) array(b : 96, 128) array(c : m, 128) output(c)
__global__ void const_mm(const float *__restrict__ a, const float *__restrict__ b,
                         float *__restrict__ c, int m) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (y >= m)
    return;
  float s = 0;
  for (int i = 0; i < 96; i++)
    s += a[y * 96 + i] * b[i * 128 + x];
  c[y * 128 + x] = s;
}
