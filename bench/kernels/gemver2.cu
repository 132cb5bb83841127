// Product of a transposed matrix and a vector, accumulated in memory.

#include <cuda_runtime.h>

#pragma gpuopt domain(n) array(A : n, n) array(x : n) array(y : n) array(z : n) output(x)
__global__ void gemver2(int n, float beta, const float *A, float *x, const float *y,
                        const float *z) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    for (int j = 0; j < n; j++)
      x[i] += beta * A[j * n + i] * y[j];
    x[i] += z[i];
  }
}
