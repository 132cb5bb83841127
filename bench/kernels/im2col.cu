// Patches as columns.

#include <cuda_runtime.h>

#pragma gpuopt domain((H - 2) * (W - 2), C * 9) array(a : C, H, W)                                 \
    array(o : C * 9, (H - 2) * (W - 2)) output(o)
__global__ void im2col(const float *__restrict__ a, float *__restrict__ o, int C, int H, int W) {
  int p = blockIdx.x * blockDim.x + threadIdx.x, q = blockIdx.y * blockDim.y + threadIdx.y,
      ow = W - 2, np = (H - 2) * ow;
  if (p >= np || q >= C * 9)
    return;
  int c = q / 9, r = q % 9 / 3, s = q % 3;
  o[q * np + p] = a[(c * H + p / ow + r) * W + p % ow + s];
}
