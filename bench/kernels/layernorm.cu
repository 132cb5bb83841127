// Layer normalisation.

#include <cuda_runtime.h>

#pragma gpuopt domain(n) array(a : n, m) array(g : m) array(be : m) array(b : n, m) output(b)
__global__ void layernorm(const float *__restrict__ a, const float *__restrict__ g,
                          const float *__restrict__ be, float *__restrict__ b, int n, int m) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= n)
    return;
  float s = 0, s2 = 0;
  for (int j = 0; j < m; j++) {
    float v = a[r * m + j];
    s += v;
    s2 += v * v;
  }
  float mu = s / m, inv = rsqrtf(s2 / m - mu * mu + 1e-1f);
  for (int j = 0; j < m; j++)
    b[r * m + j] = (a[r * m + j] - mu) * inv * g[j] + be[j];
}
