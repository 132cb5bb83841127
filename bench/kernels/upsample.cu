// Bilinear upsampling.

#include <cuda_runtime.h>

#pragma gpuopt domain(2 * w, 2 * h) array(a : h, w) array(b : 2 * h, 2 * w) output(b)
__global__ void upsample(const float *__restrict__ a, float *__restrict__ b, int h, int w) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 2 * w && y < 2 * h)
    b[y * 2 * w + x] = a[(y >> 1) * w + (x >> 1)];
}
