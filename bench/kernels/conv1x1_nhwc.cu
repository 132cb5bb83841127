// 1x1 convolution, NHWC.

#include <cuda_runtime.h>

#pragma gpuopt domain(K, P) array(in : P, C) array(wt : K, C) array(out : P, K) output(out)
__global__ void conv1x1_nhwc(const float *__restrict__ in, const float *__restrict__ wt,
                             float *__restrict__ out, int P, int C, int K) {
  unsigned k = blockIdx.x * blockDim.x + threadIdx.x, p = blockIdx.y * blockDim.y + threadIdx.y;
  if (k >= K || p >= P)
    return;
  float s = 0;
#pragma unroll 4
  for (int c = 0; c < C; c++)
    s += in[p * C + c] * wt[k * C + c];
  out[p * K + k] = s > 0 ? s : 0.1f * s;
}
