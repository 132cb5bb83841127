// The kernels of kernels.py, written the naive way: what `gpuopt check` compares Triton's PTX with.

#include <cuda_fp16.h>

extern "C" __global__ void add(const float *a, const float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[i] + b[i];
}

extern "C" __global__ void layernorm(const float *x, float *y, const float *gamma, const float *beta, int rows,
                                     int width, float epsilon) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  float sum = 0;
  for (int i = 0; i < width; ++i)
    sum += x[row * width + i];
  float mean = sum / width, squares = 0;
  for (int i = 0; i < width; ++i)
    squares += (x[row * width + i] - mean) * (x[row * width + i] - mean);
  float deviation = sqrtf(squares / width + epsilon);
  for (int i = 0; i < width; ++i)
    y[row * width + i] = (x[row * width + i] - mean) / deviation * gamma[i] + beta[i];
}

extern "C" __global__ void rowsum(const float *x, float *y, int rows, int width) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  float sum = 0;
  for (int i = 0; i < width; ++i)
    sum += x[row * width + i];
  y[row] = sum;
}

extern "C" __global__ void product(const __half *a, const __half *b, float *c, int m, int n, int k) {
  int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || column >= n)
    return;
  float sum = 0;
  for (int i = 0; i < k; ++i)
    sum += __half2float(a[row * k + i]) * __half2float(b[i * n + column]);
  c[row * n + column] = sum;
}
