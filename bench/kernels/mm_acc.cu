// Matrix product with alpha and beta, accumulated in memory.

#include <cuda_runtime.h>

#pragma gpuopt domain(n, m) array(a : m, k) array(b : k, n) array(c : m, n) output(c)
template <class T> __device__ T mulc(T a, T b) { return a * b; }
__global__ void mm_acc(const float *a, const float *b, float *c, int m, int n, int k, float alpha,
                       float beta) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < n && y < m) {
    c[y * n + x] *= beta;
    for (int i = 0; i < k; i += 1)
      c[y * n + x] += mulc(alpha, mulc(a[y * k + i], b[i * n + x]));
  }
}
