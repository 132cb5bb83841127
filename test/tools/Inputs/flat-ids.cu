// Kernels over several dimensions that take one id apart, each in another spelling; no pointer is __restrict__.
#include <cuda_runtime.h>

#define T_ID int t = blockIdx.x * blockDim.x + threadIdx.x;

// Nested quotients and remainders, of products of parameters.
#pragma gpuopt domain(batch * m * n) array(a: batch, m, k) array(b: batch, k, n) array(c: batch, m, n) output(c)
__global__ void products(float *c, const float *a, const float *b, int batch, int m, int n, int k) {
  T_ID
  if (t >= batch * m * n) return;
  int z = t / (m * n), rest = t % (m * n), y = rest / n, x = rest % n;
  float sum = 0.0f;
  for (int i = 0; i < k; i++) sum += a[(z * m + y) * k + i] * b[(z * k + i) * n + x];
  c[t] = sum;
}

// The scores of attention: four digits, in any order.
#pragma gpuopt domain(B * H * T * T) array(q : B, T, H * D) array(k : B, T, H * D) array(s : B, H, T, T) output(s)
__global__ void scores(float *s, const float *q, const float *k, int B, int T, int H, int D) {
  T_ID
  if (t < B * H * T * T) {
    int column = t % T, row = t / T % T, h = t / (T * T) % H, b = t / (H * T * T);
    if (column > row) {
      s[t] = -INFINITY;
      return;
    }
    float sum = 0.0f;
    for (int i = 0; i < D; i++) sum += q[((b * T + row) * H + h) * D + i] * k[((b * T + column) * H + h) * D + i];
    s[t] = sum * rsqrtf((float)D);
  }
}

// Differences in the place of remainders.
#pragma gpuopt domain(B * T * H * D) array(in : B, T, H, D) array(out : B, H, T, D) output(out)
__global__ void permuted(float *out, const float *in, int B, int T, int H, int D) {
  T_ID
  if (t >= B * H * T * D) return;
  int b = t / (H * T * D);
  int rest = t - b * (H * T * D);
  int h = rest / (T * D);
  rest -= h * (T * D);
  int row = rest / D;
  int i = rest - row * D;
  out[t] = in[((b * T + row) * H + h) * D + i];
}

// The size of a head is a quotient of parameters itself.
#pragma gpuopt domain(B * H * T * (C / H)) array(s : B, H, T, T) array(v : B, T, C) array(out : B, T, C) output(out)
__global__ void weighted(float *out, const float *s, const float *v, int B, int T, int C, int H) {
  T_ID
  int size = C / H;
  if (t < B * H * T * size) {
    int i = t % size, rest = t / size, row = rest % T;
    rest /= T;
    int h = rest % H, b = rest / H;
    float sum = 0.0f;
    for (int j = 0; j <= row; j++) sum += s[((b * H + h) * T + row) * T + j] * v[(b * T + j) * C + h * size + i];
    out[(b * T + row) * C + h * size + i] = sum;
  }
}

// Powers of two by shifts and masks, and a parameter; unsigned.
#pragma gpuopt domain(n * w * 64) array(in : n, w, 64) array(out : n, 64, w) output(out)
__global__ void shifted(float *out, const float *in, unsigned n, unsigned w) {
  unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t < n * w * 64) {
    unsigned c = t & 63, row = t >> 6, y = row % w, z = row / w;
    out[(z * 64 + c) * w + y] = in[t];
  }
}

// A sum of a table's row, chosen by a number, and another's; small digits stay quotients.
#pragma gpuopt domain(B * T * C) array(at : B, T) array(table : V, C) array(place : T, C) array(out : B, T, C) output(out)
__global__ void encoded(float *out, const int *at, const float *table, const float *place, int B, int T, int C, int V) {
  T_ID
  if (t < B * T * C) {
    int b = t / (T * C), row = t / C % T, c = t % C, which = at[b * T + row] & 7;
    if (which < V) out[t] = table[which * C + c] + place[row * C + c];
  }
}

#pragma gpuopt domain(h * w * 3) array(in : h, w, 3) array(out : 3, h, w) output(out)
__global__ void planes(float *out, const float *in, size_t h, size_t w) {
  size_t t = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  if (t >= h * w * 3) return;
  size_t colour = t % 3, pixel = t / 3, x = pixel % w, y = pixel / w;
  out[(colour * h + y) * w + x] = in[t];
}

// Along the flat id only: it stays as it is, and four neighbours are a vector.
#pragma gpuopt domain(h * w) array(in : h, w) array(out : h, w) output(out)
__global__ void rows(float *out, const float *in, int h, int w) {
  T_ID
  if (t < h * w) out[t] = in[t] * (float)(t / w);
}

// Rows of whole sectors only.
#pragma gpuopt domain(h * w) array(in : h, w) array(scale : w) array(out : h, w) output(out)
__global__ void columns(float *out, const float *in, const float *scale, int h, int w) {
  T_ID
  if (t < h * w) out[t] = in[t] * scale[t % w];
}

// How many there are is no number for every divisor: no vectors, whose guards would have to be known to hold.
#pragma gpuopt domain(h * w) array(in : h, w) array(out : h, w) output(out)
__global__ void parts(float *out, const float *in, int h, int w, int n) {
  T_ID
  if (t < w / n * h) out[t] = in[t] * 2.0f;
}
