// Matrix-vector products, transposes, stencils and streams in many spellings.
#include <cuda_runtime.h>

// A row for each thread, in place into y.
#pragma gpuopt domain(n) array(a: n, n) array(x: n) array(y: n) output(y)
__global__ void rows(float *a, float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    for (int j = 0; j < n; j++) y[i] += a[i * n + j] * x[j];
  }
}

// Two products in one loop.
#pragma gpuopt domain(n) array(a: n, n) array(b: n, n) array(x: n) array(y: n) output(y)
__global__ void two_matrices(const float *__restrict__ a, const float *__restrict__ b, const float *__restrict__ x,
                             float *__restrict__ y, int n, float alpha, float beta) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float s = 0, t = 0;
  for (int j = 0; j < n; j++) {
    s += a[i * n + j] * x[j];
    t += b[i * n + j] * x[j];
  }
  y[i] = alpha * s + beta * t;
}

// Column sums: coalesced as it is.
#pragma gpuopt domain(w) array(a: h, w) array(s: w) output(s)
__global__ void columns(const double *__restrict__ a, double *__restrict__ s, long h, long w) {
  long x = blockIdx.x * (long)blockDim.x + threadIdx.x;
  if (x >= w) return;
  double sum = 0;
  for (long i = 0; i < h; ++i) sum += a[i * w + x];
  s[x] = sum;
}

// Transposes: reading down, writing down, integers.
#pragma gpuopt domain(h, w) array(in: h, w) array(out: w, h) output(out)
__global__ void transpose_read(const int *__restrict__ in, int *__restrict__ out, int h, int w) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < h && y < w) out[y * h + x] = in[x * w + y];
}
#pragma gpuopt domain(w, h) array(in: h, w) array(out: w, h) output(out)
__global__ void transpose_scaled(const double *in, double *out, unsigned h, unsigned w, double alpha) {
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  out[x * h + y] = alpha * in[y * w + x];
}

// A grid-stride loop: any launch is right.
#pragma gpuopt domain(n) array(x: n) array(y: n) output(y)
__global__ void grid_stride(float a, const float *__restrict__ x, float *__restrict__ y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    y[i] = a * x[i] + y[i];
}

// One-dimensional launch over two dimensions.
#pragma gpuopt domain(w * h) array(in: h, w) array(out: h, w) output(out)
__global__ void flat_2d(const float *__restrict__ in, float *__restrict__ out, int h, int w) {
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id >= w * h) return;
  int y = id / w, x = id % w;
  float left = x > 0 ? in[y * w + x - 1] : 0.0f;
  float right = x < w - 1 ? in[y * w + x + 1] : 0.0f;
  out[id] = 0.5f * (left + right);
}

// A seven-point stencil in three dimensions.
#pragma gpuopt domain(nx, ny, nz) array(in: nz, ny, nx) array(out: nz, ny, nx) output(out)
__global__ void stencil(const float *__restrict__ in, float *__restrict__ out, int nx, int ny, int nz) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x < 1 || y < 1 || z < 1 || x >= nx - 1 || y >= ny - 1 || z >= nz - 1) return;
  int c = (z * ny + y) * nx + x;
  out[c] = in[c - 1] + in[c + 1] + in[c - nx] + in[c + nx] + in[c - nx * ny] + in[c + nx * ny] - 6 * in[c];
}

// Triangular loop, mean and standard deviation by column, odd-even guard.
#pragma gpuopt domain(m) array(data: n, m) array(mean: m) array(dev: m) output(mean, dev)
__global__ void statistics(const float *__restrict__ data, float *__restrict__ mean, float *__restrict__ dev,
                           int n, int m) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j < m) {
    float s = 0;
    for (int i = 0; i < n; i++) s += data[i * m + j];
    mean[j] = s / n;
    float d = 0;
    for (int i = 0; i < n; i++) d += (data[i * m + j] - mean[j]) * (data[i * m + j] - mean[j]);
    dev[j] = sqrtf(d / n) <= 0.1f ? 1.0f : sqrtf(d / n);
  }
}
#pragma gpuopt domain(n) array(l: n, n) array(x: n) array(y: n) output(y)
__global__ void triangular(const float *__restrict__ l, const float *__restrict__ x, float *__restrict__ y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int j = 0; j <= i; j++) sum += l[i * n + j] * x[j];
  y[i] = sum;
}
#pragma gpuopt domain(n) array(a: n, n) array(x: n) array(y: n) output(y)
__global__ void odd_rows(const float *__restrict__ a, const float *__restrict__ x, float *__restrict__ y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && i % 2 == 1) {
    float sum = 0;
    for (int j = 0; j < n; j += 2) sum += a[i * n + j] * x[j];
    y[i] = sum;
  }
}

// A loop whose bound differs by thread, and one that is loaded.
#pragma gpuopt domain(n) array(start: n + 1) array(value: 16 * n + 32) array(y: n) output(y)
__global__ void ragged(const int *__restrict__ start, const float *__restrict__ value, float *__restrict__ y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int j = 0; j < start[i]; j++) sum += value[16 * i + j];
  y[i] = sum;
}

// float4 elements, array of structures.
#pragma gpuopt domain(n) array(p: n) array(q: n) output(q)
__global__ void vectors4(const float4 *__restrict__ p, float4 *__restrict__ q, int n, float dt) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float4 v = p[i];
  v.x += dt * v.w;
  v.y -= dt * v.w;
  q[i] = v;
}
struct Particle { float x, y, z; };
#pragma gpuopt domain(n) array(p: n) array(e: n) output(e)
__global__ void structures(const Particle *__restrict__ p, float *__restrict__ e, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) e[i] = p[i].x * p[i].x + p[i].y * p[i].y + p[i].z * p[i].z;
}

// In place, with a dependence through the same array: nothing may be staged across it.
#pragma gpuopt domain(w) array(a: h, w) output(a)
__global__ void scan_columns(float *a, int h, int w) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= w) return;
  for (int i = 1; i < h; i++) a[i * w + x] += a[(i - 1) * w + x];
}
#pragma gpuopt domain(h) array(a: h, w) output(a)
__global__ void scan_rows(float *a, int h, int w) {
  int y = blockIdx.x * blockDim.x + threadIdx.x;
  if (y >= h) return;
  for (int i = 1; i < w; i++) a[y * w + i] += a[y * w + i - 1];
}
