// Covariance matrix of the columns of a matrix.

#include <cuda_runtime.h>

#pragma gpuopt domain(m) array(data : n, m) array(sym : m, m) output(sym)
__global__ void covar(const float *__restrict__ data, float *__restrict__ sym, int n, int m) {
  int j1 = blockIdx.x * blockDim.x + threadIdx.x;
  if (j1 < m)
    for (int j2 = j1; j2 < m; j2++) {
      sym[j1 * m + j2] = 0;
      for (int i = 0; i < n; i++)
        sym[j1 * m + j2] += data[i * m + j1] * data[i * m + j2];
      sym[j2 * m + j1] = sym[j1 * m + j2];
    }
}
