// 2x2 max pooling.

#include <cuda_runtime.h>

#pragma gpuopt domain(w, h) array(a : 2 * h, 2 * w) array(b : h, w) output(b)
__global__ void maxpool(const float *__restrict__ a, float *__restrict__ b, int h, int w) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) {
    const float *p = a + 2 * y * (2 * w) + 2 * x;
    b[y * w + x] = fmaxf(fmaxf(p[0], p[1]), fmaxf(p[2 * w], p[2 * w + 1]));
  }
}
