// Two rank-1 updates of a matrix.

#include <cuda_runtime.h>

#pragma gpuopt domain(n, n) array(A : n, n) array(u1 : n) array(v1 : n) array(u2 : n)              \
    array(v2 : n) output(A)
__global__ void gemver1(int n, float *A, const float *u1, const float *v1, const float *u2,
                        const float *v2) {
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < n && j < n)
    A[i * n + j] += u1[i] * v1[j] + u2[i] * v2[j];
}
