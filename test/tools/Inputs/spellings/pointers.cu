// Loops that move pointers, or run from the first to the last element of a row.

#include <cuda_runtime.h>

#pragma gpuopt domain(n, m) array(a : m, k) array(b : k, n) array(c : m, n) output(c)
__global__ void product(const float *a, const float *b, float *c, int m, int n, int k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (y >= m || x >= n)
    return;
  const float *row = a + y * k, *end = row + k, *column = b + x;
  float s = 0;
  for (; row < end; ++row, column += n)
    s += *row * *column;
  c[y * n + x] = s;
}

#pragma gpuopt domain(n, m) array(a : m, k) array(b : n, k) array(c : m, n) output(c)
__global__ void transposed_product(const float *a, const float *b, float *c, unsigned m, unsigned n, unsigned k) {
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (y >= m || x >= n)
    return;
  const float *p = a + (size_t)y * k, *q = b + (size_t)x * k, *end = p + k;
  float s = 0;
  while (p != end)
    s += *p++ * *q++;
  c[(size_t)y * n + x] = s;
}

#pragma gpuopt domain(m) array(a : m, k) array(b : k) array(c : m) output(c)
__global__ void row_sums(const float *a, const float *b, float *c, int m, int k) {
  int y = blockIdx.x * blockDim.x + threadIdx.x;
  if (y < m) {
    float s = 0;
    for (int p = y * k; p < (y + 1) * k; p++)
      s += a[p] * b[p - y * k];
    c[y] = s;
  }
}
