// Blur with clamped borders.

#include <cuda_runtime.h>

#pragma gpuopt domain(w, h) array(a : h, w) array(b : h, w) output(b)
__global__ void clamp_blur(const unsigned char *__restrict__ a, unsigned char *__restrict__ b,
                           int h, int w) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h)
    return;
  int s = 0;
  for (int j = -2; j <= 2; j++)
    for (int i = -2; i <= 2; i++) {
      int xx = min(max(x + i, 0), w - 1), yy = min(max(y + j, 0), h - 1);
      s += a[yy * w + xx];
    }
  b[y * w + x] = s / 25;
}
