// Triangular matrix product.

#include <cuda_runtime.h>

#pragma gpuopt domain(n, m) array(A : m, m) array(B : m, n) array(C : m, n) output(C)
__global__ void trmm(const float *__restrict__ A, const float *__restrict__ B,
                     float *__restrict__ C, int m, int n) {
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (j >= n || i >= m)
    return;
  float s = B[i * n + j];
  for (int k = i + 1; k < m; k++)
    s += A[k * m + i] * B[k * n + j];
  C[i * n + j] = s;
}
