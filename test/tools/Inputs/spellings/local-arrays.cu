// Kernels that keep several results of a thread in a local array.

#include <cuda_runtime.h>

#pragma gpuopt domain(n, m) array(a : m, k) array(b : k, 4 * n) array(c : m, 4 * n) output(c)
__global__ void columns(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int m, int n,
                        int k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= m)
    return;
  float sums[4] = {0.f};
  for (int i = 0; i < k; ++i) {
    float v = a[y * k + i];
    for (int q = 0; q < 4; ++q)
      sums[q] += v * b[i * 4 * n + x * 4 + q];
  }
  for (int q = 0; q < 4; ++q)
    c[y * 4 * n + 4 * x + q] = sums[q];
}

#pragma gpuopt domain(n, m) array(a : 4 * m, k) array(b : k, n) array(c : 4 * m, n) output(c)
__global__ void rows(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int m, int n,
                     int k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = (blockIdx.y * blockDim.y + threadIdx.y) * 4;
  if (x >= n || y >= m * 4)
    return;
  float sums[4];
#pragma unroll
  for (int q = 0; q < 4; ++q)
    sums[q] = 0;
  for (int i = 0; i < k; ++i) {
    float v = b[i * n + x];
#pragma unroll
    for (int q = 0; q < 4; ++q)
      sums[q] += a[(y + q) * k + i] * v;
  }
#pragma unroll
  for (int q = 0; q < 4; ++q)
    c[(y + q) * n + x] = sums[q];
}

// The median of five neighbours, sorted by exchanging.
#pragma gpuopt domain(n) array(a : n + 4) array(c : n) output(c)
__global__ void median(const float *__restrict__ a, float *__restrict__ c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float v[5];
  for (int q = 0; q < 5; ++q)
    v[q] = a[i + q];
  for (int p = 0; p < 3; ++p)
    for (int q = 0; q < 4 - p; ++q)
      if (v[q] > v[q + 1]) {
        float t = v[q];
        v[q] = v[q + 1];
        v[q + 1] = t;
      }
  c[i] = v[2];
}

// A template's loop of one iteration, and a row through a structure.
struct Rows {
  const double *data;
  int length;
  __device__ double operator()(int row, int column) const { return data[row * length + column]; }
};

template <int N>
__device__ double dot(Rows a, Rows b, int y, int x) {
  double sums[N] = {}, sum = 0;
  for (int i = 0; i < a.length; ++i)
    for (int q = 0; q < N; ++q)
      sums[q] += a(y, i) * b(i, x);
  for (int q = 0; q < N; ++q)
    sum += sums[q];
  return sum;
}

#pragma gpuopt domain(n, m) array(a : m, k) array(b : k, n) array(c : m, n) output(c)
__global__ void once(const double *a, const double *b, double *c, int m, int n, int k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (y < m && x < n)
    c[y * n + x] = dot<1>({a, k}, {b, n}, y, x);
}
