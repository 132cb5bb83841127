// Dilated convolution.

#include <cuda_runtime.h>

#pragma gpuopt domain(w, h) array(a : h + 2 * d, w + 2 * d) array(f : 3, 3) array(b : h, w)        \
    output(b)
__global__ void dilated(const float *__restrict__ a, const float *__restrict__ f,
                        float *__restrict__ b, int h, int w, int d) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h)
    return;
  float s = 0;
  for (int j = 0; j < 3; j++)
    for (int i = 0; i < 3; i++)
      s += a[(y + j * d) * (w + 2 * d) + x + i * d] * f[j * 3 + i];
  b[y * w + x] = s;
}
