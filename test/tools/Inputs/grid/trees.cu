// Trees over arrays whose steps are merged, in different spellings.
#include <cuda_runtime.h>

// All elements count.
#pragma gpuopt domain(n) array(a: n) output(a)
__global__ void product(double *a, size_t n) {
  size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  size_t s = n / 2;
  while (s != 0) {
    if (i < s)
      a[i] *= a[i + s];
    gpuopt_global_sync();
    s /= 2;
  }
}

// A store under a condition of its own, and fewer blocks than elements need.
#pragma gpuopt domain(n / 2) array(a: n) output(a: 1)
__global__ void largest(int *a, int n) {
  int i = threadIdx.x + blockDim.x * blockIdx.x;
  for (int s = n / 2; s >= 1; s = s / 2) {
    if (i < s) {
      int x = a[i], y = a[s + i];
      if (y > x)
        a[i] = y;
    }
    gpuopt_global_sync();
  }
}

// Two arrays in one tree: the place of the smallest element.
#pragma gpuopt domain(n) array(a: n) array(at: n) output(at: 1)
__global__ void place(float *__restrict__ a, int *__restrict__ at, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    at[i] = i;
  gpuopt_global_sync();
  for (int s = n >> 1; s > 0; s >>= 1) {
    if (i < s) {
      float x = a[i], y = a[i + s];
      int p = at[i], q = at[i + s];
      at[i] = y < x ? q : p;
      a[i] = y < x ? y : x;
    }
    gpuopt_global_sync();
  }
}

// Both elements change; integers that another array weighs.
#pragma gpuopt domain(n / 2) array(a: n) array(w: n) output(a)
__global__ void spread(unsigned *__restrict__ a, const unsigned *__restrict__ w, size_t n) {
  size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  for (size_t s = n / 2; s > 0; s /= 2) {
    if (i < s) {
      unsigned x = a[i], y = a[i + s];
      a[i] = x + y * w[i];
      a[i + s] = x - y;
    }
    gpuopt_global_sync();
  }
}

// The first launch counts what lies behind the tree as well.
#pragma gpuopt domain(n) array(a: n) array(r: n) output(r: 1)
__global__ void squares(const float *__restrict__ a, float *__restrict__ r, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    r[i] = a[i] * a[i];
  gpuopt_global_sync();
  for (int s = n / 2; s > 0; s >>= 1) {
    if (i < s)
      r[i] += r[i + s];
    gpuopt_global_sync();
  }
  if (i == 0)
    r[0] = sqrtf(r[0]);
}

// More than one element of what the first launch sets counts.
#pragma gpuopt domain(n) array(a: n) array(r: n) output(r: 9)
__global__ void nine(const float *__restrict__ a, float *__restrict__ r, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    r[i] = a[i] * a[i];
  gpuopt_global_sync();
  for (int s = n / 2; s > 0; s >>= 1) {
    if (i < s)
      r[i] += r[i + s];
    gpuopt_global_sync();
  }
}

// Doubles, counted down to 1.
#pragma gpuopt domain(n / 2) array(a: n) output(a: 1)
__global__ void total(double *__restrict__ a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int s = n / 2;
  while (s >= 1) {
    if (i < s)
      a[i] += a[i + s];
    gpuopt_global_sync();
    s /= 2;
  }
}
