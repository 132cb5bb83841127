// Transpose that is tiled by hand.

#include <cuda_runtime.h>

#pragma gpuopt domain(w, h) array(a : h, w) array(c : w, h) output(c)
__global__ void sh_t(const float *__restrict__ a, float *__restrict__ c, int h, int w) {
  __shared__ float s[16][16];
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h)
    s[threadIdx.y][threadIdx.x] = a[y * w + x];
  __syncthreads();
  int p = blockIdx.y * 16 + threadIdx.x, q = blockIdx.x * 16 + threadIdx.y;
  if (p < h && q < w)
    c[q * h + p] = s[threadIdx.x][threadIdx.y];
}
