// Position of the largest element of each row.

#include <cuda_runtime.h>

#pragma gpuopt domain(n) array(a : n, m) array(v : n) array(ix : n) output(v, ix)
__global__ void argmax_r(const float *__restrict__ a, float *__restrict__ v, int *__restrict__ ix,
                         int n, int m) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= n)
    return;
  float best = a[r * m];
  int at = 0;
  for (int j = 1; j < m; j++)
    if (a[r * m + j] > best) {
      best = a[r * m + j];
      at = j;
    }
  v[r] = best;
  ix[r] = at;
}
