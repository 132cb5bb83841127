// Transpose of bytes.

#include <cuda_runtime.h>

#pragma gpuopt domain(w, h) array(a : h, w) array(c : w, h) output(c)
__global__ void u8t(const unsigned char *__restrict__ a, unsigned char *__restrict__ c, int h,
                    int w) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h)
    c[x * h + y] = 255 - a[y * w + x];
}
