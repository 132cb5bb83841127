// Products of matrices, written the naive way, that tensor cores can do. Sums of
// floating-point numbers are added in another order there, which
// `reassociate` allows; sums of integers have none.

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#pragma gpuopt domain(n, m) array(a: m, k) array(b: k, n) array(c: m, n) output(c) reassociate
__global__ void half_product(const half *__restrict__ a, const half *__restrict__ b, float *__restrict__ c,
                             int m, int n, int k) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < m && col < n) {
    float sum = 0.0f;
    for (int i = 0; i < k; ++i)
      sum += __half2float(a[row * k + i]) * __half2float(b[i * n + col]);
    c[row * n + col] = sum;
  }
}

// Both matrices with rows along the sum, as weights of layers lie; the result as
// bfloat16.
#pragma gpuopt domain(n, m) array(a: m, k) array(b: n, k) array(c: m, n) output(c) reassociate
__global__ void bfloat_product(const __nv_bfloat16 *__restrict__ a, const __nv_bfloat16 *__restrict__ b,
                               __nv_bfloat16 *__restrict__ c, int m, int n, int k) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || col >= n)
    return;
  float sum = 0.0f;
  for (int i = 0; i < k; ++i)
    sum += __bfloat162float(a[row * k + i]) * __bfloat162float(b[col * k + i]);
  c[row * n + col] = __float2bfloat16(sum);
}

#pragma gpuopt domain(n, m) array(a: m, k) array(b: n, k) array(c: m, n) output(c)
__global__ void byte_product(const signed char *__restrict__ a, const signed char *__restrict__ b,
                             int *__restrict__ c, int m, int n, int k) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < m && col < n) {
    int sum = 0;
    for (int i = 0; i < k; ++i)
      sum += a[row * k + i] * b[col * k + i];
    c[row * n + col] = sum;
  }
}

#pragma gpuopt domain(n, m) array(a: m, k) array(b: k, n) array(c: m, n) output(c) reassociate
__global__ void double_product(const double *__restrict__ a, const double *__restrict__ b, double *__restrict__ c,
                               double alpha, double beta, int m, int n, int k) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < m && col < n) {
    double sum = 0.0;
    for (int i = 0; i < k; ++i)
      sum += a[row * k + i] * b[i * n + col];
    c[row * n + col] = alpha * sum + beta * c[row * n + col];
  }
}

// A layer of a network for each of several inputs: bias and GELU follow the
// product.
#pragma gpuopt domain(n, m, batches) array(a: batches, m, k) array(w: batches, k, n) array(bias: n) \
    array(c: batches, m, n) output(c) reassociate
__global__ void layers(const half *__restrict__ a, const half *__restrict__ w, const float *__restrict__ bias,
                       half *__restrict__ c, int batches, int m, int n, int k) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int batch = blockIdx.z;
  if (row >= m || col >= n)
    return;
  float sum = bias[col];
  for (int i = 0; i < k; ++i)
    sum += __half2float(a[(batch * m + row) * k + i]) * __half2float(w[(batch * k + i) * n + col]);
  float cube = 0.044715f * sum * sum * sum;
  c[(batch * m + row) * n + col] = __float2half(0.5f * sum * (1.0f + tanhf(0.7978845608f * (sum + cube))));
}
