// Sparse matrix-vector product in ELL format.

#include <cuda_runtime.h>

#pragma gpuopt domain(n) array(v : w, n) array(ci : w, n) array(x : 256) array(y : n) output(y)
__global__ void spmv_ell(const float *__restrict__ v, const unsigned char *__restrict__ ci,
                         const float *__restrict__ x, float *__restrict__ y, int n, int w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float s = 0;
  for (int j = 0; j < w; j++)
    s += v[j * n + i] * x[ci[j * n + i]];
  y[i] = s;
}
