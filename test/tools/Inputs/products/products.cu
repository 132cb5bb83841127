// Matrix products in other spellings, each the name of what is special of it.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#define POSITION                                                               \
  int x = blockIdx.x * blockDim.x + threadIdx.x;                               \
  int y = blockIdx.y * blockDim.y + threadIdx.y;

// The sum starts at what c holds.
#pragma gpuopt domain(n, m) array(a: m, k) array(b: k, n) array(c: m, n) output(c)
__global__ void added(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int m, int n, int k) {
  POSITION
  if (x >= n || y >= m) return;
  float sum = c[y * n + x];
  for (int i = 0; i < k; i++) sum += a[y * k + i] * b[i * n + x];
  c[y * n + x] = sum;
}

#pragma gpuopt domain(n, m) array(a: m, k) array(b: k, n) array(c: m, n) output(c)
__global__ void subtracted(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int m, int n, int k) {
  POSITION
  if (x >= n || y >= m) return;
  float rest = -0.0f;
  for (int i = 0; i < k; i++) rest -= a[y * k + i] * b[i * n + x];
  c[y * n + x] = rest;
}

// -0.0 where no product is positive.
#pragma gpuopt domain(n, m) array(a: m, k) array(b: k, n) array(c: m, n) output(c)
__global__ void negative_zero(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int m, int n, int k) {
  POSITION
  if (x >= n || y >= m) return;
  float sum = -0.0f;
  for (int i = 0; i < k; i++) sum += a[y * k + i] * b[i * n + x];
  c[y * n + x] = sum;
}

#pragma gpuopt domain(n, m) array(a: m, k) array(b: k, n) array(c: m, n) output(c)
__global__ void doubles(const double *__restrict__ a, const double *__restrict__ b, double *__restrict__ c, int m, int n, int k) {
  POSITION
  if (x < n && y < m) {
    double sum = 0;
    for (int i = 0; i < k; i++) sum += a[y * k + i] * b[i * n + x];
    c[y * n + x] = sum;
  }
}

#pragma gpuopt domain(n, m) array(a: m, k) array(b: k, n) array(c: m, n) output(c)
__global__ void integers(const int *__restrict__ a, const int *__restrict__ b, int *__restrict__ c, int m, int n, int k) {
  POSITION
  if (x >= n || y >= m) return;
  int sum = 0;
  for (int i = 0; i < k; i++) sum += a[y * k + i] * b[i * n + x];
  c[y * n + x] = sum;
}

#pragma gpuopt domain(n, m) array(a: m, k) array(b: k, n) array(c: m, n) output(c)
__global__ void unsigned_sizes(const unsigned *__restrict__ a, const unsigned *__restrict__ b, unsigned *__restrict__ c, unsigned m, unsigned n, unsigned k) {
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= m) return;
  unsigned sum = 0;
  for (unsigned i = 0; i < k; i++) sum -= a[y * k + i] * b[i * n + x];
  c[y * n + x] = sum;
}

#pragma gpuopt domain(n, m) array(a: m, k) array(b: k, n) array(c: m, n) output(c)
__global__ void bytes(const signed char *__restrict__ a, const unsigned char *__restrict__ b, int *__restrict__ c, int m, int n, int k) {
  POSITION
  if (x >= n || y >= m) return;
  int sum = 0;
  for (int i = 0; i < k; i++) sum += a[y * k + i] * b[i * n + x];
  c[y * n + x] = sum;
}

#pragma gpuopt domain(n, m) array(a: m, k) array(b: k, n) array(c: m, n) output(c)
__global__ void halves(const __half *__restrict__ a, const __half *__restrict__ b, float *__restrict__ c, int m, int n, int k) {
  POSITION
  if (x >= n || y >= m) return;
  float sum = 0;
  for (int i = 0; i < k; i++) sum += __half2float(a[y * k + i]) * __half2float(b[i * n + x]);
  c[y * n + x] = sum;
}

#pragma gpuopt domain(n, m) array(a: m, k) array(b: k, n) array(c: m, n) output(c)
__global__ void half_sums(const __half *__restrict__ a, const __half *__restrict__ b, __half *__restrict__ c, int m, int n, int k) {
  POSITION
  if (x >= n || y >= m) return;
  __half sum = __float2half(0.f);
  for (int i = 0; i < k; i++) sum = __hadd(sum, __hmul(a[y * k + i], b[i * n + x]));
  c[y * n + x] = sum;
}

#pragma gpuopt domain(n, m, batch) array(a: batch, m, k) array(b: batch, k, n) array(c: batch, m, n) output(c)
__global__ void batched(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int m, int n, int k, int batch) {
  POSITION
  int z = blockIdx.z;
  if (x >= n || y >= m || z >= batch) return;
  float sum = 0;
  for (int i = 0; i < k; i++) sum += a[(z * m + y) * k + i] * b[(z * k + i) * n + x];
  c[(z * m + y) * n + x] = sum;
}

#pragma gpuopt domain(n, m) array(a: k, m) array(b: k, n) array(c: m, n) output(c)
__global__ void first_transposed(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int m, int n, int k) {
  POSITION
  if (x >= n || y >= m) return;
  float sum = 0;
  for (int i = 0; i < k; i++) sum += a[i * m + y] * b[i * n + x];
  c[y * n + x] = sum;
}

#pragma gpuopt domain(n, m) array(a: m, k) array(b: n, k) array(c: m, n) output(c)
__global__ void second_transposed(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int m, int n, int k) {
  POSITION
  if (x >= n || y >= m) return;
  float sum = 0;
  for (int i = 0; i < k; i++) sum += a[y * k + i] * b[x * k + i];
  c[y * n + x] = sum;
}

#pragma gpuopt domain(n, m) array(a: m, k) array(b: k, n) array(c: m, n) output(c)
__global__ void wide_indices(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, size_t m, size_t n, size_t k) {
  size_t x = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  size_t y = (size_t)blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= m) return;
  float sum = 0;
  for (size_t i = 0; i < k; i++) sum += a[y * k + i] * b[i * n + x];
  c[y * n + x] = sum;
}

// Only a part of each row is summed up.
#pragma gpuopt domain(n, m) array(a: m, k) array(b: k, n) array(c: m, n) output(c)
__global__ void from_third(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int m, int n, int k) {
  POSITION
  if (x >= n || y >= m) return;
  float sum = 0;
  for (int i = 3; i < k; i++) sum += a[y * k + i] * b[i * n + x];
  c[y * n + x] = sum;
}

#pragma gpuopt domain(n, m) array(a: m, k) array(b: k, n) array(c: m, n) output(c)
__global__ void triangle(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int m, int n, int k) {
  POSITION
  if (x >= n || y >= m) return;
  float sum = 0;
  for (int i = 0; i < k; i++)
    if (i <= y) sum += a[y * k + i] * b[i * n + x];
  c[y * n + x] = sum;
}

// Two sums and terms of several kinds.
#pragma gpuopt domain(n, m) array(a: m, k) array(b: k, n) array(c: m, n) array(d: m, n) output(c, d)
__global__ void two_sums(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, float *__restrict__ d, int m, int n, int k) {
  POSITION
  if (x >= n || y >= m) return;
  float sum = 0, rest = 0;
  for (int i = 0; i < k; i++) {
    float u = a[y * k + i], v = b[i * n + x];
    sum += u * v;
    rest += u - v;
  }
  c[y * n + x] = sum;
  d[y * n + x] = rest;
}

// Sums of distances, of which zeros are none.
#pragma gpuopt domain(n, m) array(a: m, k) array(b: k, n) array(c: m, n) output(c)
__global__ void distances(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int m, int n, int k) {
  POSITION
  if (x >= n || y >= m) return;
  float sum = 0;
  for (int i = 0; i < k; i++) {
    float d = a[y * k + i] - b[i * n + x];
    sum += d * d;
  }
  c[y * n + x] = sum;
}

// Of one array with itself.
#pragma gpuopt domain(m, m) array(a: m, k) array(c: m, m) output(c)
__global__ void with_itself(const float *__restrict__ a, float *__restrict__ c, int m, int k) {
  POSITION
  if (x >= m || y >= m) return;
  float sum = 0;
  for (int i = 0; i < k; i++) sum += a[y * k + i] * a[x * k + i];
  c[y * m + x] = sum;
}

#pragma gpuopt domain(n, m) array(a: m, k) array(b: k, n) array(c: m, n) output(c)
__global__ void largest(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int m, int n, int k) {
  POSITION
  if (x >= n || y >= m) return;
  float most = -1e30f;
  for (int i = 0; i < k; i++) most = fmaxf(most, a[y * k + i] * b[i * n + x]);
  c[y * n + x] = most;
}
