// Loops by which threads take turns with the elements of a tile, of which there are a multiple of the threads, fewer, or
// neither: equal to the kernel as it is written.
// RUN: gpuopt check %s --target sm_90 --grid 3 --size in=192,out=900 | FileCheck %s
// RUN: gpuopt check %s --target gfx942 --grid 2 --size in=128,out=600 | FileCheck %s
// CHECK: passed
__global__ void __launch_bounds__(64) turns(const float *in, float *out) {
  __shared__ float s[256], edge[40], odd[100];
  float x = in[blockIdx.x * 64 + threadIdx.x];
  for (unsigned i = threadIdx.x; i < 256; i += 64)
    s[i] = x + i;
  for (int i = threadIdx.x; i < 40; i += blockDim.x)
    edge[i] = x * i;
  for (int i = threadIdx.x; i < 100; i += 64)
    odd[i] = x - i;
  __syncthreads();
  float sum = 0;
  for (int i = 2 * threadIdx.x; i < 100; i += 128)
    sum += s[i] + odd[i];
  for (size_t i = threadIdx.x; i < 300; i += 64)
    out[blockIdx.x * 300 + i] = sum + s[i % 256] + edge[i % 40];
}
