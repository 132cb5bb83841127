// Kernels with grid-wide synchronisation, spelled in many ways.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

// Largest of n numbers, with cooperative groups and a loop that counts up.
#pragma gpuopt domain(n) array(a: n) output(a: 1)
__global__ void largest(int *a, int n) {
  auto grid = cooperative_groups::this_grid();
  unsigned i = grid.thread_rank();
  unsigned s = n;
  while (s > 1) {
    unsigned half = (s + 1) / 2;
    if (i + half < s && a[i + half] > a[i])
      a[i] = a[i + half];
    grid.sync();
    s = half;
  }
}

// Inclusive prefix sums, ping-pong between two arrays; the result is in x or y.
template <typename T>
__device__ void step(const T *from, T *to, unsigned i, unsigned n, unsigned d) {
  if (i < n)
    to[i] = i >= d ? from[i] + from[i - d] : from[i];
}

#pragma gpuopt domain(n) array(x: n) array(y: n) output(x, y)
__global__ void scan(double *__restrict__ x, double *__restrict__ y, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned d = 1;
  do {
    step(x, y, i, n, d);
    gpuopt_global_sync();
    step(y, x, i, n, 2 * d);
    gpuopt_global_sync();
    d *= 4;
  } while (d < n);
}

// Relaxation for a number of steps in two dimensions.
#pragma gpuopt domain(w, h) array(u: h, w) array(v: h, w) output(u)
__global__ void relax(float *__restrict__ u, float *__restrict__ v, int h, int w, int steps) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  bool inner = x > 0 && y > 0 && x < w - 1 && y < h - 1;
  for (int t = 0; t < steps; ++t) {
    if (inner)
      v[y * w + x] = 0.25f * (u[y * w + x - 1] + u[y * w + x + 1] + u[(y - 1) * w + x] + u[(y + 1) * w + x]);
    gpuopt_global_sync();
    if (inner)
      u[y * w + x] = v[y * w + x];
    gpuopt_global_sync();
  }
}

// Product of n numbers: a strided loop, unsigned sizes, and a launch with fewer work items than numbers.
#pragma gpuopt domain(n / 4 + 1) array(a: n) output(a: 1)
__global__ void product(double *a, size_t n) {
  size_t first = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  size_t items = gridDim.x * (size_t)blockDim.x;
  for (size_t s = n / 2; s != 0; s /= 2) {
    for (size_t i = first; i < s; i += items)
      a[i] *= a[i + s];
    gpuopt_global_sync();
  }
}

// Blocks that work in shared memory, then one that goes over what they leave.
#pragma gpuopt domain(n) array(a: n) array(part: (n + 255) / 256) output(part: 1)
__global__ void twoPhases(const int *a, int *part, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int blocks = gridDim.x;
  int sum = i < n ? a[i] : 0;
  for (int d = 16; d > 0; d >>= 1)
    sum += __shfl_down_sync(0xffffffff, sum, d);
  __shared__ int sums[32];
  if (threadIdx.x % 32 == 0)
    sums[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    int total = 0;
    for (int w = 0; w < blockDim.x / 32; ++w)
      total += sums[w];
    part[blockIdx.x] = total;
  }
  gpuopt_global_sync();
  if (i == 0)
    for (int b = 1; b < blocks; ++b)
      part[0] += part[b];
}
