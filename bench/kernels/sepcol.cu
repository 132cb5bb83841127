// Column pass of a separable filter.

#include <cuda_runtime.h>

#pragma gpuopt domain(w, h) array(a : h + 8, w) array(f : 9) array(b : h, w) output(b)
__global__ void sepcol(const float *__restrict__ a, const float *__restrict__ f,
                       float *__restrict__ b, int h, int w) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h)
    return;
  float s = 0;
  for (int j = 8; j >= 0; --j)
    s += a[(y + j) * w + x] * f[8 - j];
  b[y * w + x] = s;
}
