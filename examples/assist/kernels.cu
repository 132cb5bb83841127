// The kernels of table 6.1 of Yang, "Performance Optimization for GPGPU" (2012), as one writes them: those that a CPU assists
// in bench/simulation (docs/assist.md).

#include <cuda_runtime.h>

// Black and Scholes' prices of options.
__device__ float normal(float d) {
  const float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
  const float tail = 0.39894228f * expf(-0.5f * d * d) *
                     (k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
  return d > 0 ? 1.0f - tail : tail;
}

__global__ void bsc(const float *__restrict__ price, const float *__restrict__ strike, const float *__restrict__ years,
                    float *__restrict__ call, float *__restrict__ put, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const float rate = 0.02f, volatility = 0.3f;
  float s = price[i], x = strike[i], t = years[i];
  float root = sqrtf(t);
  float d1 = (logf(s / x) + (rate + 0.5f * volatility * volatility) * t) / (volatility * root);
  float d2 = d1 - volatility * root;
  float discounted = x * expf(-rate * t);
  call[i] = s * normal(d1) - discounted * normal(d2);
  put[i] = discounted * (1.0f - normal(d2)) - s * (1.0f - normal(d1));
}

// Figure 6.3.
__global__ void vd(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[i] + b[i];
}

// A pass of a Fourier transform: butterflies of results that are `step` apart.
__global__ void fft(const float2 *__restrict__ in, float2 *__restrict__ out, int n, int step) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j >= n / 2)
    return;
  float2 a = in[j], b = in[j + n / 2];
  float angle = -3.14159265f * (j % step) / step;
  float c = cosf(angle), s = sinf(angle);
  float2 turned = make_float2(c * b.x - s * b.y, s * b.x + c * b.y);
  int to = j / step * 2 * step + j % step;
  out[to] = make_float2(a.x + turned.x, a.y + turned.y);
  out[to + step] = make_float2(a.x - turned.x, a.y - turned.y);
}

// A matrix product through tiles; n is a multiple of 16, the block is 16 x 16.
__global__ void mm(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n) {
  __shared__ float rows[16][16], columns[16][16];
  int tx = threadIdx.x, ty = threadIdx.y;
  int x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty;
  float sum = 0;
  for (int i = 0; i < n / 16; ++i) {
    rows[ty][tx] = a[y * n + i * 16 + tx];
    columns[ty][tx] = b[(i * 16 + ty) * n + x];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      sum += rows[ty][k] * columns[k][tx];
    __syncthreads();
  }
  c[y * n + x] = sum;
}

// A convolution with 3 x 3 weights.
__global__ void con(const float *__restrict__ in, const float *__restrict__ weights, float *__restrict__ out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h)
    return;
  float sum = 0;
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i)
      sum += in[(y + j) * (w + 2) + x + i] * weights[j * 3 + i];
  out[y * w + x] = sum;
}

// Figure 6.9.
__global__ void tmv(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= width)
    return;
  float sum = 0;
  for (int i = 0; i < height; ++i)
    sum += a[i * width + x] * b[i];
  c[x] = sum;
}

// A step of a bitonic sort: pairs that are `distance` apart, in order or, in every second part of `part` pairs, in the
// opposite one.
__global__ void bs(unsigned *keys, int n, int distance, int part) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n / 2)
    return;
  int at = i / distance * 2 * distance + i % distance;
  unsigned left = keys[at], right = keys[at + distance];
  bool swaps = (left > right) == (i / part % 2 == 0);
  if (swaps) {
    keys[at] = right;
    keys[at + distance] = left;
  }
}

// What an option is worth at the ends of paths that a thread follows, one after the other; blocks of 256 threads have paths
// of their own. Another kernel adds up.
__global__ void mc(const float *__restrict__ samples, float *__restrict__ sums, int rounds) {
  const float drift = 0.06f, volatility = 0.1f, strike = 1.0f;
  int block = blockIdx.x, t = threadIdx.x;
  float sum = 0;
  for (int i = 0; i < rounds; ++i) {
    float sample = samples[(block * rounds + i) * 256 + t];
    sum += fmaxf(expf(drift + volatility * sample) - strike, 0.0f);
  }
  sums[block * 256 + t] = sum;
}

// A matrix by a vector, a row for each thread.
__global__ void mv(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int width, int height) {
  int y = blockIdx.x * blockDim.x + threadIdx.x;
  if (y >= height)
    return;
  float sum = 0;
  for (int i = 0; i < width; ++i)
    sum += a[y * width + i] * b[i];
  c[y] = sum;
}
