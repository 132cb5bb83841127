// Index arithmetic that leaves its type: legal where it is unsigned, or wide enough.

#define GX (blockIdx.x * blockDim.x + threadIdx.x)
#define GY (blockIdx.y * blockDim.y + threadIdx.y)

// A leading dimension of 2^32 - 1 is one of -1.
#pragma gpuopt domain(n, m) array(a: off + k) array(b: k, n) array(c: m, n) output(c)
__global__ void minus_one(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, unsigned m,
                          unsigned n, unsigned k, unsigned lda, unsigned off) {
  unsigned x = GX, y = GY;
  if (x >= n || y >= m) return;
  float s = 0;
  for (unsigned i = 0; i < k; i++) s += a[off + y * lda + i] * b[i * n + x];
  c[y * n + x] = s;
}

// The same in 64 bits, where it does not wrap.
#pragma gpuopt domain(n, m) array(a: off + k) array(b: k, n) array(c: m, n) output(c)
__global__ void negative(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int m, int n,
                         int k, long long lda, long long off) {
  long long x = GX, y = GY;
  if (x >= n || y >= m) return;
  float s = 0;
  for (long long i = 0; i < k; i++) s += a[off + y * lda + i] * b[i * n + x];
  c[y * n + x] = s;
}

// Rows of 2^31 elements, every other one: all of them are the first modulo 2^32.
#pragma gpuopt domain(m) array(a: n) array(c: m) output(c)
__global__ void same_row(const float *__restrict__ a, float *__restrict__ c, unsigned m, unsigned n, unsigned lda) {
  unsigned y = GX;
  if (y >= m) return;
  float s = 0;
  for (unsigned i = 0; i < n; i++) s += a[2 * y * lda + i];
  c[y] = s;
}

// Rows of 2^62 elements, every fourth one: the same modulo 2^64.
#pragma gpuopt domain(m) array(a: n) array(c: m) output(c)
__global__ void same_row_64(const float *__restrict__ a, float *__restrict__ c, unsigned long long m,
                            unsigned long long n, unsigned long long lda) {
  unsigned long long y = GX;
  if (y >= m) return;
  float s = 0;
  for (unsigned long long i = 0; i < n; i++) s += a[4 * y * lda + i];
  c[y] = s;
}
