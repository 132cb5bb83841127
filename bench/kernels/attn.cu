// Scores of attention for each head.

#include <cuda_runtime.h>

#pragma gpuopt domain(S, S, B *H) array(q : B, S, H, D) array(k : B, S, H, D)                      \
    array(o : B, H, S, S) output(o)
__global__ void attn(const float *__restrict__ q, const float *__restrict__ k,
                     float *__restrict__ o, int B, int H, int S, int D) {
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y,
      z = blockIdx.z * blockDim.z + threadIdx.z;
  if (j >= S || i >= S || z >= B * H)
    return;
  int b = z / H, h = z % H;
  float s = 0;
  for (int d = 0; d < D; d++)
    s += q[((b * S + i) * H + h) * D + d] * k[((b * S + j) * H + h) * D + d];
  o[(z * S + i) * S + j] = j <= i ? s * rsqrtf((float)D) : -1e30f;
}
