// What kernels.cu computes.
#include <cuda_fp16.h>

#pragma gpuopt domain(24, 64) array(a: 64, 16) array(b: 16, 24) array(c: 64, 24) output(c)
extern "C" __global__ void plain(const half *a, const half *b, float *c) {
  int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column >= 24 || row >= 64)
    return;
  double sum = 1;
  for (int k = 0; k < 16; ++k)
    sum += double(float(a[row * 16 + k])) * float(b[k * 24 + column]);
  c[row * 24 + column] = sum;
}

#pragma gpuopt domain(24, 64) array(a: 64, 16) array(b: 16, 24) array(c: 64, 24) output(c)
extern "C" __global__ void negative(const half *a, const half *b, float *c) {
  int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column >= 24 || row >= 64)
    return;
  double sum = 0;
  for (int k = 0; k < 16; ++k)
    sum -= double(float(a[row * 16 + k])) * float(b[k * 24 + column]);
  for (int k = 0; k < 16; ++k)
    sum -= double(float(a[row * 16 + k])) * float(b[k * 24 + column]);
  c[row * 24 + column] = sum;
}
