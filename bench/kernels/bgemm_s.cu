// A batch of matrix products at strides that are parameters.

#include <cuda_runtime.h>

#pragma gpuopt domain(n, m, batch) array(A : batch, sa) array(B : batch, sb) array(C : batch, sc)  \
    output(C)
__global__ void bgemm_s(const float *__restrict__ A, const float *__restrict__ B,
                        float *__restrict__ C, int m, int n, int k, int batch, long sa, long sb,
                        long sc) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y,
      z = blockIdx.z;
  A += z * sa;
  B += z * sb;
  C += z * sc;
  if (x >= n || y >= m)
    return;
  float s = 0;
  for (int i = 0; i < k; i++)
    s += A[y * k + i] * B[i * n + x];
  C[y * n + x] = s;
}
