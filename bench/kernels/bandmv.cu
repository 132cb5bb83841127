// Product of a band matrix and a vector.

#include <cuda_runtime.h>

#pragma gpuopt domain(n) array(ab : n, 2 * kl + 1) array(x : n) array(y : n) output(y)
__global__ void bandmv(const float *__restrict__ ab, const float *__restrict__ x,
                       float *__restrict__ y, int n, int kl) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float s = 0;
  for (int d = -kl; d <= kl; d++) {
    int j = i + d;
    if (j < 0)
      continue;
    if (j >= n)
      break;
    s += ab[i * (2 * kl + 1) + d + kl] * x[j];
  }
  y[i] = s;
}
