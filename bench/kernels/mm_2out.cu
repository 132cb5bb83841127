// Two products that share an operand.

#include <cuda_runtime.h>

#pragma gpuopt domain(n, m) array(a : m, k) array(b : k, n) array(c : m, n) array(d : n, m)        \
    output(c, d)
__global__ void mm_2out(const float *__restrict__ a, const float *__restrict__ b,
                        float *__restrict__ c, float *__restrict__ d, int m, int n, int k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= m)
    return;
  float s = 0, mx = 0;
  for (int i = 0; i < k; i++) {
    float t = a[y * k + i] * b[i * n + x];
    s += t;
    mx = fmaxf(mx, t);
  }
  c[y * n + x] = s;
  d[x * m + y] = mx;
}
