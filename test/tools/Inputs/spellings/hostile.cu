// Kernels that must not be transformed, or only in part: stores before loads of one array, bounds that depend on
// threads and data, guards that are not monotone, and indices that wrap.
#include <cuda_runtime.h>
#define IDX int x = blockIdx.x * blockDim.x + threadIdx.x
#define IDXY IDX; int y = blockIdx.y * blockDim.y + threadIdx.y

// a prefix in place along rows: each item owns a row.
#pragma gpuopt domain(n) array(a: n, m) output(a)
__global__ void inplace_rows(float *a, int n, int m) {
  IDX; if (x >= n) return;
  for (int i = 1; i < m; i++) a[x*m+i] += a[x*m+i-1];
}
#pragma gpuopt domain(n) array(a: n, m) output(a)
__global__ void inplace_back(float *a, int n, int m) {
  IDX; if (x >= n) return;
  for (int i = m-2; i >= 0; i--) a[x*m+i] += 0.5f*a[x*m+i+1];
}
// writes a row, then reads it
#pragma gpuopt domain(n) array(a: n, m) array(b: n) output(a, b)
__global__ void write_then_read(float *a, float *b, int n, int m) {
  IDX; if (x >= n) return;
  for (int i = 0; i < m; i++) a[x*m+i] = x + i;
  float s = 0;
  for (int i = 0; i < m; i++) s += a[x*m+i];
  b[x] = s;
}
#pragma gpuopt domain(n) array(a: n, m) array(b: n) output(a, b)
__global__ void write_then_read_r(float *__restrict__ a, float *__restrict__ b, int n, int m) {
  IDX; if (x >= n) return;
  a[x*m] = 7;
  if (m > 3) a[x*m+3] = 9;
  float s = 0;
  for (int i = 0; i < m; i++) s += a[x*m+i];
  b[x] = s;
  for (int i = 0; i < m; i++) a[x*m+i] = s*i;
  for (int i = 0; i < m; i++) s += a[x*m+m-1-i];
  b[x] += s;
}
// transposed access in place, upper triangle
#pragma gpuopt domain(n, n) array(a: n, n) output(a)
__global__ void transpose_inplace(float *a, int n) {
  IDXY; if (x >= n || y >= x) return;
  float t = a[y*n+x]; a[y*n+x] = a[x*n+y]; a[x*n+y] = t;
}
#pragma gpuopt domain(n, n) array(a: n, n) array(b: n, n) array(c: n, n) output(a, b)
__global__ void mid_return(const float *__restrict__ c, float *__restrict__ a, float *__restrict__ b, int n) {
  IDXY; if (x >= n || y >= n) return;
  float v = c[x*n+y];
  a[y*n+x] = v;
  if (v < 0.25f) return;
  float s = 0;
  for (int i = 0; i < n; i++) { float w = c[x*n+i]*c[i*n+y]; if (w > 0.9f) continue; s += w; }
  b[y*n+x] = s;
  if (s > 3.f) return;
  b[y*n+x] += c[x*n+y];
}
// bound depends on loaded data
#pragma gpuopt domain(n, n) array(len: n) array(c: n, n) array(a: n, n) output(a)
__global__ void data_bound(const float *__restrict__ c, const unsigned char *__restrict__ len, float *__restrict__ a, int n) {
  IDXY; if (x >= n || y >= n) return;
  float s = 0;
  int e = len[y] % n;
  for (int i = 0; i < e; i++) s += c[y*n+i]*c[i*n+x];
  a[y*n+x] = s;
}
// row bound depends on block id
#pragma gpuopt domain(n) array(c: n, n) array(a: n) output(a)
__global__ void block_bound(const float *__restrict__ c, float *__restrict__ a, int n) {
  IDX; if (x >= n) return;
  float s = 0;
  for (int i = 0; i < n && i <= (int)blockIdx.x; i++) s += c[x*n+i];
  a[x] = s;
}
#pragma gpuopt domain(n) array(c: n, n) array(a: n) output(a)
__global__ void thread_bound(const float *__restrict__ c, float *__restrict__ a, int n) {
  IDX; if (x >= n) return;
  float s = 0;
  for (int i = 0; i <= x; i++) s += c[x*n+i];
  for (int i = x; i < n; i += 3) s -= c[x*n+i];
  a[x] = s;
}
#pragma gpuopt domain(n) array(c: n, n) array(a: n) output(a)
__global__ void band(const float *__restrict__ c, float *__restrict__ a, int n, int lo, int hi) {
  IDX; if (x >= lo && x < hi && x < n && x != 5 && x % 3 != 1) {
  float s = 0;
  for (int i = 0; i < n; i++) s += c[x*n+i];
  a[x] = s; }
}
#pragma gpuopt domain(n) array(c: n, n) array(a: n) output(a)
__global__ void reversed(const float *__restrict__ c, float *__restrict__ a, int n) {
  IDX; int r = n - 1 - x; if (r < 0) return;
  float s = 0;
  for (int i = 0; i < n; i++) s += c[r*n+i];
  a[r] = s;
}
#pragma gpuopt domain(n) array(c: n+2, n+2) array(a: n) output(a)
__global__ void stencil_rows(const float *__restrict__ c, float *__restrict__ a, int n) {
  IDX; if (x >= n) return;
  float s = 0;
  for (int i = 1; i < n+1; i++) s += c[x*(n+2)+i-1] + c[x*(n+2)+i+1]*2 - c[(x+2)*(n+2)+i];
  a[x] = s;
}
#pragma gpuopt domain(n, n) array(img: n+4, n+4) array(f: 5, 5) array(a: n, n) output(a)
__global__ void conv(const float *img, const float *f, float *a, int n) {
  IDXY; if (x >= n || y >= n) return;
  float s = 0;
  for (int i = 0; i < 5; i++) for (int j = 0; j < 5; j++) s += img[(y+i)*(n+4)+x+j]*f[i*5+j];
  a[y*n+x] = s;
}
#pragma gpuopt domain(n, n) array(img: 3, n+4, n+4) array(f: 3, 5, 5) array(a: n, n) output(a)
__global__ void conv3_t(const float *__restrict__ img, const float *__restrict__ f, float *__restrict__ a, int n) {
  IDXY; if (x >= n || y >= n) return;
  float s = 0;
  for (int c = 0; c < 3; c++)
  for (int i = 0; i < 5; i++) for (int j = 0; j < 5; j++) s += img[(c*(n+4)+x+i)*(n+4)+y+j]*f[(c*5+i)*5+j];
  a[y*n+x] = s;
}
#pragma gpuopt domain(n, n) array(a: n, n) array(b: n, n) array(c: n, n) output(c)
__global__ void acc_alias(float *a, float *b, float *c, int n) {
  IDXY; if (x >= n || y >= n) return;
  for (int i = 0; i < n; i++) c[y*n+x] += a[y*n+i]*b[i*n+x];
}
#pragma gpuopt domain(n, n) array(a: n, n) array(b: n, n) array(c: n, n) array(d: n, n) output(c, d)
__global__ void two_acc(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, float *__restrict__ d, int n) {
  IDXY; if (x >= n || y >= n) return;
  c[y*n+x] = 0; d[x*n+y] = 1;
  for (int i = 0; i < n; i++) { c[y*n+x] += a[y*n+i]*b[i*n+x]; d[x*n+y] += a[x*n+i]*b[y*n+i]; }
}
#pragma gpuopt domain(n) array(a: n, n) array(b: n) output(b)
__global__ void vol(volatile float *a, float *b, int n) {
  IDX; if (x >= n) return;
  float s = 0;
  for (int i = 0; i < n; i++) s += a[x*n+i];
  b[x] = s;
}
#pragma gpuopt domain(n) array(a: n, n) array(b: n) array(h: 16) output(b, h)
__global__ void atom(const unsigned *__restrict__ a, unsigned *__restrict__ b, unsigned *h, int n) {
  IDX; if (x >= n) return;
  unsigned s = 0;
  for (int i = 0; i < n; i++) { s += a[x*n+i]; atomicAdd(&h[a[x*n+i] & 15], 1u); }
  b[x] = s;
}
#pragma gpuopt domain(n, n) array(a: n, n) array(b: n, n) array(h: n) output(b, h)
__global__ void atom_used(const float *__restrict__ a, unsigned *__restrict__ b, unsigned *h, int n) {
  IDXY; if (x >= n || y >= n) return;
  unsigned old = atomicMax(&h[y], 1u + (unsigned)(a[x*n+y]*100));
  b[x*n+y] = old * 0;
}
#pragma gpuopt domain(n) array(a: n, n) array(b: n) output(b)
__global__ void prints(const float *__restrict__ a, float *__restrict__ b, int n) {
  IDX; if (x >= n) return;
  float s = 0;
  for (int i = 0; i < n; i++) s += a[x*n+i];
  if (s < -1e30f) printf("%f\n", s);
  b[x] = s;
}
__device__ __noinline__ float helper(const float *p, int n, int k) { float s = 0; for (int i = 0; i < n; ++i) s += p[i*k]; return s; }
#pragma gpuopt domain(n) array(a: n, n) array(b: n) output(b)
__global__ void calls(const float *__restrict__ a, float *__restrict__ b, int n) {
  IDX; if (x >= n) return;
  b[x] = helper(a + x*n, n, 1) - helper(a + x, n, n);
}
__device__ void axpy(float *p, float *q, int n) { for (int i = 0; i + 1 < n; ++i) q[i+1] = p[i]*0.5f + q[i+1]; }
#pragma gpuopt domain(n) array(a: n, n) output(a)
__global__ void self_alias(float *__restrict__ a, int n) {
  IDX; if (x >= n) return;
  axpy(a + x*n, a + x*n, n);
}
#pragma gpuopt domain(n) array(a: 2*n*n) output(a)
__global__ void halves_of_one(float *a, int n) {
  IDX; if (x >= n) return;
  float *p = a, *q = a + n*n;
  float s = 0;
  for (int i = 0; i < n; i++) { s += p[x*n+i]; q[x*n+i] = s; }
}
#pragma gpuopt domain(n) array(a: n, n) array(b: n) output(b)
__global__ void wide_break(const float *__restrict__ a, float *__restrict__ b, int n) {
  IDX; if (x >= n) return;
  float s = 0; int i = 0;
  do { s += a[x*n+i]; if (s > 6) break; } while (++i < n);
  while (i < n) { s -= a[x*n + i]; i += 2; }
  b[x] = s;
}
#pragma gpuopt domain(n) array(a: 65536) array(b: n) output(b)
__global__ void wrap16(const float *__restrict__ a, float *__restrict__ b, int n) {
  IDX; if (x >= n) return;
  float s = 0;
  for (unsigned short i = 0; i < 70; i++) s += a[(unsigned short)(x*997+i*7001)];
  b[x] = s;
}
#pragma gpuopt domain(n) array(a: 256) array(b: n) output(b)
__global__ void wrap8(const float *__restrict__ a, float *__restrict__ b, int n) {
  IDX; if (x >= n) return;
  float s = 0;
  for (int i = 0; i < 300; i++) s += a[(unsigned char)(x + i)];
  b[x] = s;
}
#pragma gpuopt domain(n) array(a: n) array(b: n) output(b)
__global__ void wrap32(const float *__restrict__ a, float *__restrict__ b, unsigned n) {
  unsigned x = blockIdx.x*blockDim.x+threadIdx.x; if (x >= n) return;
  float s = 0;
  for (unsigned i = 0; i < n; i++) s += a[(x - i) < n ? x - i : i];
  for (unsigned i = n; i-- > 0;) s += a[i];
  b[x] = s;
}
