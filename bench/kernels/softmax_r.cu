// Softmax of the rows.

#include <cuda_runtime.h>

#pragma gpuopt domain(n) array(a : n, m) array(b : n, m) output(b)
__global__ void softmax_r(const float *__restrict__ a, float *__restrict__ b, int n, int m) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= n)
    return;
  float mx = -3.4e38f;
  for (int j = 0; j < m; j++)
    mx = fmaxf(mx, a[r * m + j]);
  float s = 0;
  for (int j = 0; j < m; j++) {
    float e = expf(a[r * m + j] - mx);
    b[r * m + j] = e;
    s += e;
  }
  for (int j = 0; j < m; j++)
    b[r * m + j] /= s;
}
