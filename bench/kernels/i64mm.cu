// Matrix product of 64-bit integers.

#include <cuda_runtime.h>

#pragma gpuopt domain(n, m) array(a : m, k) array(b : k, n) array(c : m, n) output(c)
__global__ void i64mm(const long long *__restrict__ a, const long long *__restrict__ b,
                      long long *__restrict__ c, long long m, long long n, long long k) {
  long long x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= m)
    return;
  long long s = 0;
  for (long long i = 0; i < k; i++)
    s += a[y * k + i] * b[i * n + x];
  c[y * n + x] = s;
}
