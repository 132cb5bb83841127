// Product of a transposed matrix and a matrix, C = A^T B.

#include <cuda_runtime.h>

#pragma gpuopt domain(n, m) array(A : k, m) array(B : k, n) array(C : m, n) output(C)
__global__ void atb(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C,
                    int m, int n, int k) {
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < m) {
    if (j < n) {
      float s = 0;
      int l = 0;
      do {
        if (l >= k)
          break;
        s = fmaf(A[l * m + i], B[l * n + j], s);
        l += 1;
      } while (true);
      C[i * n + j] = s;
    }
  }
}
