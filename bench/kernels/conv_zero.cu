// Convolution with zeros beyond the border.

#include <cuda_runtime.h>

#pragma gpuopt domain(w, h) array(a : h, w) array(f : 2 * r + 1, 2 * r + 1) array(b : h, w)        \
    output(b)
__global__ void conv_zero(const float *__restrict__ a, const float *__restrict__ f,
                          float *__restrict__ b, int h, int w, int r) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h)
    return;
  float s = 0;
  for (int j = -r; j <= r; j++)
    for (int i = -r; i <= r; i++)
      if (y + j >= 0 && y + j < h && x + i >= 0 && x + i < w)
        s += a[(y + j) * w + x + i] * f[(j + r) * (2 * r + 1) + i + r];
  b[y * w + x] = s;
}
