// Kernels that already cooperate: they keep their launch and their barriers.
#include <cuda_runtime.h>
#include <cuda_fp16.h>

#define TILE 16
#pragma gpuopt domain(n, n) array(a: n, n) array(b: n, n) array(c: n, n) output(c)
__global__ void tiled(const float *a, const float *b, float *c, int n) {
  __shared__ float s[TILE][TILE], t[TILE][TILE];
  int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
  float sum = 0;
  for (int m = 0; m < (n + TILE - 1) / TILE; ++m) {
    s[threadIdx.y][threadIdx.x] = y < n && m * TILE + threadIdx.x < n ? a[y * n + m * TILE + threadIdx.x] : 0.0f;
    t[threadIdx.y][threadIdx.x] = x < n && m * TILE + threadIdx.y < n ? b[(m * TILE + threadIdx.y) * n + x] : 0.0f;
    __syncthreads();
    for (int k = 0; k < TILE; ++k) sum += s[threadIdx.y][k] * t[k][threadIdx.x];
    __syncthreads();
  }
  if (x < n && y < n) c[y * n + x] = sum;
}

#pragma gpuopt domain(n) array(in: n) array(out: (n + 255) / 256) output(out)
__global__ void block_sum(const float *in, float *out, int n) {
  __shared__ float partial[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  partial[threadIdx.x] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (threadIdx.x < s) partial[threadIdx.x] += partial[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = partial[0];
}

#pragma gpuopt domain(n) array(in: n) array(out: n) output(out)
__global__ void shuffles(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = i < n ? in[i] : 0.0f;
  for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(0xffffffffu, v, d, 32);
  if (i < n) out[i] = v;
}

#pragma gpuopt domain(n) array(in: n) array(bins: 16) output(bins)
__global__ void histogram(const int *in, unsigned *bins, int n) {
  __shared__ unsigned local[16];
  if (threadIdx.x < 16) local[threadIdx.x] = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&local[in[i] & 15], 1u);
  __syncthreads();
  if (threadIdx.x < 16) atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}

__constant__ float weights[4] = {0.5f, 0.25f, 0.125f, 0.125f};
#pragma gpuopt domain(n) array(in: n + 3) array(out: n) output(out)
__global__ void constants(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
#pragma unroll
  for (int j = 0; j < 4; j++) sum += weights[j] * in[i + j];
  out[i] = sum;
}

#pragma gpuopt domain(n) array(x: n) array(y: n) output(y)
__global__ void __launch_bounds__(256) halves(const __half *x, __half *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = __hadd(__hmul(x[i], x[i]), y[i]);
}

#pragma gpuopt domain(n) array(x: n) array(y: n) output(y)
__global__ void mathematics(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = sinf(x[i]) * expf(x[i]) + sqrtf(fabsf(x[i])) + powf(fabsf(x[i]), 1.5f) + erff(x[i]);
}
