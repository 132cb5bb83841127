// Matrix product in a grid-stride loop.

#include <cuda_runtime.h>

#pragma gpuopt domain(n, m) array(a : m, k) array(b : k, n) array(c : m, n) output(c)
__global__ void mm_gs(const float *__restrict__ a, const float *__restrict__ b,
                      float *__restrict__ c, int m, int n, int k) {
  for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < m; y += gridDim.y * blockDim.y)
    for (int x = blockIdx.x * blockDim.x + threadIdx.x; x < n; x += gridDim.x * blockDim.x) {
      float s = 0;
      for (int i = 0; i < k; i++)
        s += a[y * k + i] * b[i * n + x];
      c[y * n + x] = s;
    }
}
