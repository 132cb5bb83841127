// A batch of matrix products.

#include <cuda_runtime.h>

#pragma gpuopt domain(n, m, batch) array(A : batch, m, k) array(B : batch, k, n)                   \
    array(C : batch, m, n) output(C)
__global__ void bgemm(const float *__restrict__ A, const float *__restrict__ B,
                      float *__restrict__ C, int m, int n, int k, int batch) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y,
      z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x < n && y < m && z < batch) {
    float s = 0;
    for (int i = 0; i < k; i++)
      s += A[(z * m + y) * k + i] * B[(z * k + i) * n + x];
    C[(z * m + y) * n + x] = s;
  }
}
