// Symmetric rank-2k update, in double precision.

#include <cuda_runtime.h>

#pragma gpuopt domain(n, n) array(A : n, m) array(B : n, m) array(C : n, n) output(C)
__global__ void syr2k(int n, int m, double alpha, double beta, const double *__restrict__ A,
                      const double *__restrict__ B, double *__restrict__ C) {
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < n && j < n) {
    double c = C[i * n + j] * beta;
    for (int k = 0; k < m; k++) {
      c += alpha * A[i * m + k] * B[j * m + k];
      c += alpha * B[i * m + k] * A[j * m + k];
    }
    C[i * n + j] = c;
  }
}
