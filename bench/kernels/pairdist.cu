// Squared distances of all pairs.

#include <cuda_runtime.h>

#pragma gpuopt domain(m, n) array(a : n, d) array(b : m, d) array(o : n, m) output(o)
__global__ void pairdist(const float *__restrict__ a, const float *__restrict__ b,
                         float *__restrict__ o, int n, int m, int d) {
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= n || j >= m)
    return;
  float s = 0;
  for (int k = 0; k < d; k++) {
    float t = a[i * d + k] - b[j * d + k];
    s += t * t;
  }
  o[i * m + j] = sqrtf(s);
}
