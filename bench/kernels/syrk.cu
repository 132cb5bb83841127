// Symmetric rank-k update of the lower triangle, accumulated in memory.

#include <cuda_runtime.h>

#pragma gpuopt domain(n, n) array(A : n, m) array(C : n, n) output(C)
__global__ void syrk(int n, int m, float alpha, float beta, const float *A, float *C) {
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < n && j <= i) {
    C[i * n + j] *= beta;
    for (int k = 0; k < m; k++)
      C[i * n + j] += alpha * A[i * m + k] * A[j * m + k];
  }
}
