// Kernels that share nothing, a variable, a function that is not inlined, or a
// part of the device library.

#include <cuda_runtime.h>
#include <stdio.h>

__constant__ float filt[16];
__device__ int counter;

__device__ __noinline__ float step(float x, int n) {
  for (int i = 0; i < n; ++i)
    x = x * x + 0.5f;
  return x;
}

#define MM(NAME, TYPE)                                                         \
  __global__ void NAME(const TYPE *__restrict__ a, const TYPE *__restrict__ b, \
                       TYPE *__restrict__ c, int n) {                          \
    int x = blockIdx.x * blockDim.x + threadIdx.x;                             \
    int y = blockIdx.y * blockDim.y + threadIdx.y;                             \
    if (x >= n || y >= n)                                                      \
      return;                                                                  \
    TYPE s = 0;                                                                \
    for (int k = 0; k < n; ++k)                                                \
      s += a[y * n + k] * b[k * n + x];                                        \
    c[y * n + x] = s;                                                          \
  }
MM(mmf, float)

__global__ void scale(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] *= filt[i % 16];
}

__global__ void shift(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] += filt[15 - i % 16];
}

__global__ void iterate(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = step(x[i], n);
}

__global__ void again(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = step(x[i] + 1, n);
}

__global__ void sines(double *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = sin(x[i]);
}

MM(mmd, double)

__global__ void cosines(double *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = cos(x[i]);
}

__global__ void complain(const float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && x[i] < 0)
    printf("%d\n", i);
}

__global__ void protest(const float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && x[i] > 0)
    printf("%f\n", x[i]);
}

__global__ void count(const int *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && x[i])
    atomicAdd(&counter, 1);
}
