// Matrix products and what may surround them; no pointer is __restrict__.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#define POSITION                                                               \
  int x = blockIdx.x * blockDim.x + threadIdx.x;                               \
  int y = blockIdx.y * blockDim.y + threadIdx.y;

// Rows by rows, with rows along x; the bias may be missing.
#pragma gpuopt domain(m, n) array(a: m, k) array(b: n, k) array(bias: n) array(c: m, n) output(c)
__global__ void rows_and_bias(float *c, const float *a, const float *b, const float *bias, int m, int n, int k) {
  POSITION
  if (x < m && y < n) {
    float sum = bias != NULL ? bias[y] : 0.0f;
    for (int i = 0; i < k; i++) sum += a[x * k + i] * b[y * k + i];
    c[x * n + y] = sum;
  }
}

// An element of a row for all of a column, chosen by a parameter.
#pragma gpuopt domain(n, m) array(a: m, k) array(b: k, n) array(start: m) array(c: m, n) output(c)
__global__ void start_of_row(float *c, const float *a, const float *b, const float *start, int m, int n, int k, int choice) {
  POSITION
  if (x >= n || y >= m) return;
  float sum = 1.0f;
  if (choice > 0) sum = start[y];
  for (int i = 0; i < k; i++) sum += a[y * k + i] * b[i * n + x];
  c[y * n + x] = sum;
}

#pragma gpuopt domain(n, m) array(a: m, k) array(b: k, n) array(bias: n) array(rest: m, n) array(c: m, n) output(c)
__global__ void activated(float *c, const float *a, const float *b, const float *bias, const float *rest, int m, int n, int k, float scale) {
  POSITION
  if (x >= n || y >= m) return;
  float sum = 0.0f;
  for (int i = 0; i < k; i++) sum += a[y * k + i] * b[i * n + x];
  sum = sum * scale + bias[x];
  c[y * n + x] = rest[y * n + x] + (sum > 0.0f ? sum : 0.01f * sum);
}

// Two products that share a factor, one to be the gate of the other; stored as half.
#pragma gpuopt domain(n, m) array(a: m, k) array(gate: k, n) array(up: k, n) array(c: m, n) output(c)
__global__ void gated(__half *c, const float *a, const float *gate, const float *up, int m, int n, int k) {
  POSITION
  if (x >= n || y >= m) return;
  float g = 0.0f, u = 0.0f;
  for (int i = 0; i < k; i++) {
    float v = a[y * k + i];
    g += v * gate[i * n + x];
    u += v * up[i * n + x];
  }
  c[y * n + x] = __float2half(g / (1.0f + expf(-g)) * u);
}
