// Batch normalisation.

#include <cuda_runtime.h>

#pragma gpuopt domain(P, C) array(x : N, C, P) array(m : C) array(v : C) output(x)
__global__ void batchnorm(float *x, const float *m, const float *v, int N, int C, int P) {
  int p = blockIdx.x * blockDim.x + threadIdx.x, c = blockIdx.y * blockDim.y + threadIdx.y;
  if (p >= P || c >= C)
    return;
  for (int n = 0; n < N; n++)
    x[(n * C + c) * P + p] = (x[(n * C + c) * P + p] - m[c]) * rsqrtf(v[c] * v[c] + 1);
}
