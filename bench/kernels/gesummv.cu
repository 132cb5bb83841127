// Sum of two matrix-vector products.

#include <cuda_runtime.h>

#pragma gpuopt domain(n) array(A : n, n) array(B : n, n) array(x : n) array(y : n) array(tmp : n)  \
    output(y, tmp)
__global__ void gesummv(int n, float alpha, float beta, float *A, float *B, float *tmp, float *x,
                        float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    for (int j = 0; j < n; j++) {
      tmp[i] += A[i * n + j] * x[j];
      y[i] += B[i * n + j] * x[j];
    }
    y[i] = alpha * tmp[i] + beta * y[i];
  }
}
