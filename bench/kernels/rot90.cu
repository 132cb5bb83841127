// Rotation of an image.

#include <cuda_runtime.h>

#pragma gpuopt domain(w, h) array(a : h, w) array(b : w, h) output(b)
__global__ void rot90(const int *__restrict__ a, int *__restrict__ b, int h, int w) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h)
    b[(w - 1 - x) * h + y] = a[y * w + x];
}
