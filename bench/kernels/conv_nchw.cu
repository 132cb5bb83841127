// Convolution layer of a neural network, NCHW.

#include <cuda_runtime.h>

#pragma gpuopt domain(W, H, N *K) array(in : N, C, H, W) array(wt : K, C, 3, 3) array(bias : K)    \
    array(out : N, K, H, W) output(out)
__global__ void conv_nchw(const float *__restrict__ in, const float *__restrict__ wt,
                          const float *__restrict__ bias, float *__restrict__ out, int N, int C,
                          int H, int W, int K) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y,
      z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x >= W || y >= H || z >= N * K)
    return;
  int n = z / K, k = z % K;
  float s = bias[k];
  for (int c = 0; c < C; c++)
    for (int r = 0; r < 3; r++)
      for (int q = 0; q < 3; q++) {
        int yy = y + r - 1, xx = x + q - 1;
        if (yy < 0 || yy >= H || xx < 0 || xx >= W)
          continue;
        s += in[((n * C + c) * H + yy) * W + xx] * wt[((k * C + c) * 3 + r) * 3 + q];
      }
  out[((n * K + k) * H + y) * W + x] = fmaxf(s, 0.f);
}
