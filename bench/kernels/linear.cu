// A layer of a network: rows of inputs by rows of weights, and a bias that may be missing.

#include <cuda_runtime.h>

#pragma gpuopt domain(rows, n) array(in : rows, k) array(weights : n, k) array(bias : n)           \
    array(out : rows, n) output(out)
__global__ void linear(float *out, const float *in, const float *weights, const float *bias,
                       int rows, int k, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x, column = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= rows || column >= n)
    return;
  float sum = bias != NULL ? bias[column] : 0.0f;
  const float *w = weights + column * k, *x = in + row * k;
  for (int i = 0; i < k; i++)
    sum += x[i] * w[i];
  out[row * n + column] = sum;
}
