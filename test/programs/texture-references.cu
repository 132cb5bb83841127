// Texture references, as programs of before CUDA 12 have them: bound to linear memory and fetched from by index.
// RUN: gpuopt cc -std=c++17 %s -o %t
// RUN: env GPUOPT_DEVICE=cpu %t | FileCheck %s
// RUN: %on_gpu %t | FileCheck %s
// RUN: env GPUOPT_DEVICE=cpu gpuopt run --check -- %t | FileCheck %s
// RUN: not gpuopt compile %s --target gfx942 -o - 2>&1 | FileCheck %s --check-prefix=ALONE

#include <cstdio>

texture<float, 1, cudaReadModeElementType> numbers;
namespace tables {
static texture<int2, 1> pairs;
}

// ALONE: texture-references.cu:[[#@LINE+4]]:{{[0-9]+}}: error: 'tex1Dfetch<float>' has no body that a kernel can call
__global__ void fetch(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] = tex1Dfetch(numbers, i + 1);
}

__global__ void fetchPairs(int *a) {
  int2 pair = tex1Dfetch(tables::pairs, threadIdx.x);
  a[threadIdx.x] = pair.x * 10 + pair.y;
}

int main() {
  constexpr int n = 100;
  float host[n], *device, *result;
  for (int i = 0; i < n; ++i)
    host[i] = i;
  cudaMalloc(&device, sizeof host);
  cudaMalloc(&result, sizeof host);
  cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice);
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  numbers.filterMode = cudaFilterModePoint;
  numbers.normalized = false;
  cudaError_t error = cudaBindTexture(NULL, &numbers, device, &format, n * sizeof(float));
  fetch<<<1, 128>>>(result, n);
  cudaMemcpy(host, result, sizeof host, cudaMemcpyDeviceToHost);
  // Beyond the array there is nothing.
  // CHECK: cudaSuccess: 1 99 0
  printf("%s: %g %g %g\n", cudaGetErrorName(error), host[0], host[98], host[99]);
  // Another place of the same array, and a shorter one.
  size_t offset = 1;
  cudaBindTexture(&offset, numbers, device + 50, 3 * sizeof(float));
  fetch<<<1, 128>>>(result, n);
  cudaMemcpy(host, result, sizeof host, cudaMemcpyDeviceToHost);
  // CHECK: 0: 51 52 0
  printf("%zu: %g %g %g\n", offset, host[0], host[1], host[2]);

  int2 pairs[2] = {{1, 2}, {3, 4}};
  int *values, found[2];
  cudaMalloc(&values, sizeof found);
  cudaMemcpy(device, pairs, sizeof pairs, cudaMemcpyHostToDevice);
  cudaBindTexture(0, tables::pairs, device);
  fetchPairs<<<1, 2>>>(values);
  cudaMemcpy(found, values, sizeof found, cudaMemcpyDeviceToHost);
  // CHECK: 12 34
  printf("%d %d\n", found[0], found[1]);
  cudaUnbindTexture(tables::pairs);
  fetchPairs<<<1, 2>>>(values);
  cudaMemcpy(found, values, sizeof found, cudaMemcpyDeviceToHost);
  // CHECK: 0 0
  printf("%d %d\n", found[0], found[1]);
}
