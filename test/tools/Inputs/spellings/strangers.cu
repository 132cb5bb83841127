// Kernels as they are found in the wild: every one spells ids, guards, loops and subscripts in its own way.

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#define GX (blockIdx.x * blockDim.x + threadIdx.x)
#define GY (blockDim.y * blockIdx.y + threadIdx.y)
#define AT(p, r, c, ld) p[(r) * (ld) + (c)]

// Arrays of rows, a while loop, unsigned ids.
#pragma gpuopt domain(64, m) array(a: m, 48) array(b: 48, 64) array(c: m, 64) output(c)
extern "C" __global__ void rows_of_arrays(const float (*a)[48], const float (*b)[64], float (*c)[64], int m) {
  unsigned col = GX, row = GY;
  if (col >= 64u || row >= (unsigned)m) return;
  float s = 0;
  int k = 0;
  while (k < 48) {
    s += a[row][k] * b[k][col];
    ++k;
  }
  c[row][col] = s;
}

// A do-while loop over 64-bit indices.
#pragma gpuopt domain(h) array(a: h, w) array(x: w) array(y: h) output(y)
__global__ void do_while(const double *a, const double *x, double *y, size_t h, size_t w) {
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < h && w > 0) {
    double s = 0;
    size_t j = 0;
    do {
      s += a[i * w + j] * x[j];
    } while (++j < w);
    y[i] = s;
  }
}

// A member function that returns a reference.
struct Matrix {
  float *data;
  int rows, cols;
  __device__ float &at(int r, int c) const { return data[r * cols + c]; }
};
#pragma gpuopt domain(n, n) array(a: n, n) array(b: n, n) array(c: n, n) output(c)
__global__ void members(float *a, float *b, float *c, int n) {
  Matrix A{a, n, n}, B{b, n, n}, C{c, n, n};
  int x = GX, y = GY;
  if (x < n && y < n) {
    float sum = 0;
    for (int k = 0; k < n; ++k) sum += A.at(y, k) * B.at(k, x);
    C.at(y, x) = sum;
  }
}

// A helper that walks both operands by pointer, a macro for the result.
__device__ __forceinline__ float dot(const float *p, const float *q, int n, int sp, int sq) {
  float s = 0;
  for (int i = 0; i < n; i++, p += sp, q += sq) s += *p * *q;
  return s;
}
#pragma gpuopt domain(n, m) array(a: m, k) array(b: k, n) array(c: m, n) output(c)
__global__ void helpers(const float *a, const float *b, float *c, int m, int n, int k) {
  int x = GX, y = GY;
  if (!(x < n)) return;
  if (!(y < m)) return;
  AT(c, y, x, n) = dot(a + y * k, b + x, k, 1, n);
}

// Both operands transposed, the old result taken in.
#pragma gpuopt domain(n, m) array(a: k, m) array(b: n, k) array(c: m, n) output(c)
__global__ void transposed(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int m, int n,
                           int k, float alpha, float beta) {
  int j = GX, i = GY;
  if (i < m && j < n) {
    float s = 0;
    for (int l = 0; l < k; ++l) s += a[l * m + i] * b[j * k + l];
    c[i * n + j] = alpha * s + beta * c[i * n + j];
  }
}

// Column major, with leading dimensions.
#pragma gpuopt domain(m, n) array(a: k, lda) array(b: n, k) array(c: n, m) output(c)
__global__ void column_major(const float *a, const float *b, float *c, int m, int n, int k, int lda) {
  int i = GX, j = GY;
  if (i < m && j < n) {
    float s = 0;
    for (int l = 0; l < k; l++) s += a[i + l * lda] * b[l + j * k];
    c[i + j * m] = s;
  }
}

// Unrolled by hand with a tail, and two columns of a work item.
#pragma gpuopt domain((n + 1) / 2, m) array(a: m, k) array(b: k, n) array(c: m, n) output(c)
__global__ void by_hand(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int m, int n,
                        int k) {
  int x = 2 * GX, y = GY;
  if (x >= n || y >= m) return;
  float s = 0, t = 0;
  bool two = x + 1 < n;
  int i = 0;
  for (; i + 1 < k; i += 2) s += a[y * k + i] * b[i * n + x] + a[y * k + i + 1] * b[(i + 1) * n + x];
  for (; i < k; i++) s += a[y * k + i] * b[i * n + x];
  for (i = 0; i < k; i++)
    if (two) t += a[y * k + i] * b[i * n + x + 1];
  c[y * n + x] = s;
  if (two) c[y * n + x + 1] = t;
}

// Half precision in and out, and bfloat16 in.
#pragma gpuopt domain(n, m) array(a: m, k) array(b: k, n) array(c: m, n) output(c)
__global__ void half_floats(const __half *__restrict__ a, const __nv_bfloat16 *__restrict__ b, __half *__restrict__ c,
                            int m, int n, int k) {
  int x = GX, y = GY;
  if (x >= n || y >= m) return;
  float s = 0;
  for (int i = 0; i < k; i++) s += __half2float(a[y * k + i]) * __bfloat162float(b[i * n + x]);
  c[y * n + x] = __float2half(s);
}

// Bytes summed in an int.
#pragma gpuopt domain(n, m) array(a: m, k) array(b: k, n) array(c: m, n) output(c)
__global__ void bytes(const signed char *__restrict__ a, const signed char *__restrict__ b, int *__restrict__ c, int m,
                      int n, int k) {
  int x = GX, y = GY;
  if (x < n && y < m) {
    int s = 0;
    for (int i = 0; i < k; i++) s += a[y * k + i] * b[i * n + x];
    c[y * n + x] = s;
  }
}

// Complex numbers as structures with operators.
struct Complex {
  double re, im;
  __device__ Complex operator*(Complex o) const { return {re * o.re - im * o.im, re * o.im + im * o.re}; }
  __device__ Complex &operator+=(Complex o) { return re += o.re, im += o.im, *this; }
};
#pragma gpuopt domain(n, m) array(a: m, k) array(b: k, n) array(c: m, n) output(c)
__global__ void complex(const Complex *a, const Complex *b, Complex *c, int m, int n, int k) {
  int x = GX, y = GY;
  if (x >= n || y >= m) return;
  Complex s{0, 0};
  for (int i = 0; i < k; i++) s += a[y * k + i] * b[i * n + x];
  c[y * n + x] = s;
}

// One id for both dimensions.
#pragma gpuopt domain(m *n) array(a: m, k) array(b: k, n) array(c: m, n) output(c)
__global__ void one_id(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int m, int n,
                       int k) {
  int id = GX;
  if (id >= m * n) return;
  int y = id / n, x = id % n;
  float s = 0;
  for (int i = 0; i < k; i++) s += a[y * k + i] * b[i * n + x];
  c[id] = s;
}

// Loops backwards, by twos and by threes.
#pragma gpuopt domain(n) array(a: n, m) array(c: n) output(c)
__global__ void strides(const float *__restrict__ a, float *__restrict__ c, int n, int m) {
  int i = GX;
  if (i >= n) return;
  float s = 0, t = 1;
  for (int k = m - 1; k >= 0; --k) s = s * 0.5f + a[i * m + k];
  for (int k = 0; k < m; k += 2) t += a[i * m + k];
  for (int k = m; k > 0; k -= 3) t -= a[i * m + k - 1];
  c[i] = s + t;
}

// Both triangles, one by rows and one by columns.
#pragma gpuopt domain(n) array(l: n, n) array(x: n) array(y: n) output(y)
__global__ void triangles(const float *l, const float *__restrict__ x, float *__restrict__ y, int n) {
  int i = GX;
  if (i >= n) return;
  float s = 0;
  for (int j = 0; j <= i; j++) s += l[i * n + j] * x[j];
  for (int j = i + 1; j < n; j++) s -= l[j * n + i] * x[j];
  y[i] = s;
}

// A rank update of the lower triangle.
#pragma gpuopt domain(n, n) array(a: n, m) array(c: n, n) output(c)
__global__ void rank_update(const float *__restrict__ a, float *__restrict__ c, int n, int m) {
  int j = GX, i = GY;
  if (i < n && j <= i) {
    float s = 0;
    for (int k = 0; k < m; k++) s += a[i * m + k] * a[j * m + k];
    c[i * n + j] += s;
  }
}

// A filter with a border of zeros, tested in the loop.
#pragma gpuopt domain(w, h) array(a: h, w) array(f: 2 * r + 1, 2 * r + 1) array(c: h, w) output(c)
__global__ void zero_border(const float *__restrict__ a, const float *__restrict__ f, float *__restrict__ c, int h, int w,
                            int r) {
  int x = GX, y = GY;
  if (x >= w || y >= h) return;
  float s = 0;
  for (int i = -r; i <= r; i++)
    for (int j = -r; j <= r; j++)
      if (y + i >= 0 && y + i < h && x + j >= 0 && x + j < w)
        s += a[(y + i) * w + x + j] * f[(i + r) * (2 * r + 1) + j + r];
  c[y * w + x] = s;
}

// Ids that start inside the border.
#pragma gpuopt domain(w, h) array(a: h, w) array(b: h, w) output(b)
__global__ void inner(const float *__restrict__ a, float *__restrict__ b, int h, int w) {
  int x = GX + 1, y = GY + 1;
  if (x < w - 1 && y < h - 1)
    b[y * w + x] = 0.25f * (a[y * w + x - 1] + a[y * w + x + 1] + a[(y - 1) * w + x] + a[(y + 1) * w + x]);
}

// Heads of attention in z, causal.
#pragma gpuopt domain(t, t, heads) array(q: heads, t, d) array(k: heads, t, d) array(s: heads, t, t) output(s)
__global__ void scores(const float *__restrict__ q, const float *__restrict__ k, float *__restrict__ s, int heads, int t,
                       int d, float scale) {
  int j = GX, i = GY, h = blockIdx.z;
  if (i >= t || j >= t) return;
  float sum = 0;
  for (int l = 0; l < d; l++) sum += q[(h * t + i) * d + l] * k[(h * t + j) * d + l];
  s[(h * t + i) * t + j] = j <= i ? sum * scale : -INFINITY;
}

// Two results stored across, one mirrored.
#pragma gpuopt domain(w, h) array(a: h, w) array(c: w, h) array(d: w, h) output(c, d)
__global__ void two_transposes(const float *__restrict__ a, float *__restrict__ c, float *__restrict__ d, int h, int w) {
  int x = GX, y = GY;
  if (x >= w || y >= h) return;
  float v = a[y * w + x];
  c[x * h + y] = v;
  d[x * h + (h - 1 - y)] = -v;
}

// Structures that every work item reads in turn.
struct Body {
  float x, y, z, mass;
};
#pragma gpuopt domain(n) array(b: n) array(f: n, 3) output(f)
__global__ void bodies(const Body *__restrict__ b, float *__restrict__ f, int n) {
  int i = GX;
  if (i >= n) return;
  float fx = 0, fy = 0, fz = 0;
  Body me = b[i];
  for (int j = 0; j < n; j++) {
    float dx = b[j].x - me.x, dy = b[j].y - me.y, dz = b[j].z - me.z;
    float r = dx * dx + dy * dy + dz * dz + 0.01f, pull = b[j].mass / (r * sqrtf(r));
    fx += dx * pull;
    fy += dy * pull;
    fz += dz * pull;
  }
  f[3 * i] = fx;
  f[3 * i + 1] = fy;
  f[3 * i + 2] = fz;
}

// A stack array with a lifetime, in a kernel that has two versions.
#pragma gpuopt domain(n / 4) array(a: m, n) array(c: n) output(c)
__global__ void stack_array(const float *__restrict__ a, float *__restrict__ c, int n, int m) {
  int x = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
  if (x + 3 >= n) return;
  float acc[64] = {};
  for (int i = 0; i < m; i++) acc[i & 63] += a[i * n + x];
  for (int i = 0; i < m; i++) c[x] += acc[63 - i & 63];
}
