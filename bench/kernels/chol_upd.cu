// Trailing update of a Cholesky factorisation.

#include <cuda_runtime.h>

#pragma gpuopt domain(n - k, n - k) array(A : n, n) output(A)
__global__ void chol_upd(float *A, int n, int k) {
  int j = (blockIdx.x * blockDim.x + threadIdx.x) + k,
      i = (blockIdx.y * blockDim.y + threadIdx.y) + k;
  if (i >= n || j > i)
    return;
  float s = 0;
  for (int p = 0; p < k; ++p)
    s += A[i * n + p] * A[j * n + p];
  A[i * n + j] -= s;
}
