// A layer with bias, GELU and what bypasses it.

#include <cuda_runtime.h>

#pragma gpuopt domain(n, rows) array(in : rows, k) array(weights : k, n) array(bias : n)           \
    array(bypass : rows, n) array(out : rows, n) output(out)
__global__ void linear_gelu(float *out, const float *in, const float *weights, const float *bias,
                            const float *bypass, int rows, int k, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= rows)
    return;
  float sum = bias[x];
  for (int i = 0; i < k; i++)
    sum += in[y * k + i] * weights[i * n + x];
  float cube = 0.044715f * sum * sum * sum;
  out[y * n + x] =
      bypass[y * n + x] + 0.5f * sum * (1.0f + tanhf(sqrtf(2.0f / 3.14159265f) * (sum + cube)));
}
