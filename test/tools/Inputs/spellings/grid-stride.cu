// Kernels for launches of any size: each thread goes on by the size of the
// launch.

#include <cuda_runtime.h>

#define KERNEL_LOOP(i, n) \
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < (n); i += blockDim.x * gridDim.x)

#pragma gpuopt domain(n, m) array(a : m, k) array(b : k, n) array(c : m, n) output(c)
__global__ void product(const float *a, const float *b, float *c, int m, int n, int k) {
  int x0 = threadIdx.x + blockDim.x * blockIdx.x, y0 = threadIdx.y + blockDim.y * blockIdx.y;
  int dx = blockDim.x * gridDim.x, dy = blockDim.y * gridDim.y;
  for (int x = x0; x < n; x += dx)
    for (int y = y0; y < m; y += dy) {
      float s = 0;
      for (int i = 0; i < k; i++)
        s += a[y * k + i] * b[i * n + x];
      c[y * n + x] = s;
    }
}

// A flat id in a loop.
#pragma gpuopt domain(m * n) array(a : m, k) array(b : k, n) array(c : m, n) output(c)
__global__ void flat_product(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int m,
                             int n, int k) {
  KERNEL_LOOP(t, m * n) {
    float s = 0;
    for (int i = 0; i < k; i++)
      s += a[t / n * k + i] * b[i * n + t % n];
    c[t] = s;
  }
}

#pragma gpuopt domain(n) array(x : n) array(y : n) output(y)
__global__ void saxpy(int n, float alpha, const float *x, float *y) {
  KERNEL_LOOP(i, n) y[i] = alpha * x[i] + y[i];
}

#pragma gpuopt domain(n) array(x : n) array(y : n) output(y)
__global__ void relu(const float *__restrict__ x, float *__restrict__ y, size_t n) {
  size_t stride = (size_t)blockDim.x * gridDim.x;
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  while (i < n) {
    y[i] = x[i] > 0 ? x[i] : 0;
    i += stride;
  }
}

#pragma gpuopt domain(n) array(x : n) array(y : n) output(y)
__global__ void squares(const float *__restrict__ x, float *__restrict__ y, unsigned n) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    y[i] = x[i] * x[i];
}

// Columns by their ids, rows in a loop.
#pragma gpuopt domain(n, 16) array(a : m, n) array(b : n) array(c : m, n) output(c)
__global__ void scaled_columns(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int m,
                               int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= n)
    return;
  for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < m; y += gridDim.y * blockDim.y)
    c[y * n + x] = a[y * n + x] * b[x];
}

// One thread that does all of it reads what it has written.
#pragma gpuopt domain(1) array(x : n + 1) output(x)
__global__ void halves(float *x, int n) {
  KERNEL_LOOP(i, n) x[i + 1] = x[i] * 0.5f;
}
