// Depthwise convolution.

#include <cuda_runtime.h>

#pragma gpuopt domain(W, H, C) array(in : C, H + 2, W + 2) array(wt : C, 3, 3)                     \
    array(out : C, H, W) output(out)
__global__ void depthwise(const float *__restrict__ in, const float *__restrict__ wt,
                          float *__restrict__ out, int C, int H, int W) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y,
      c = blockIdx.z;
  if (x >= W || y >= H)
    return;
  float s = 0;
  for (int r = 0; r < 3; r++)
    for (int q = 0; q < 3; q++)
      s += in[(c * (H + 2) + y + r) * (W + 2) + x + q] * wt[(c * 3 + r) * 3 + q];
  out[(c * H + y) * W + x] = s;
}
