// A kernel's own arrays in workgroup memory count for launches and questions.
// RUN: gpuopt cc %s -o %t
// RUN: env GPUOPT_DEVICE=cpu %t | FileCheck %s

#include <cstdio>

__device__ float last(const float *a) {
  __shared__ float copy[1024];
  copy[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  return copy[blockDim.x - 1];
}
__global__ void own(float *a) {
  extern __shared__ float dynamic[];
  __shared__ float tile[10 << 10];
  tile[threadIdx.x] = a[threadIdx.x];
  dynamic[threadIdx.x] = 1;
  __syncthreads();
  a[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x] + dynamic[0] + last(a);
}
__global__ void none(float *a) { a[threadIdx.x] = 1; }

static const char *launch(float *a, int bytes) {
  own<<<1, 32, bytes>>>(a);
  return cudaGetErrorName(cudaGetLastError());
}

int main() {
  float *a;
  cudaMalloc(&a, 1024 * sizeof(float));
  cudaFuncAttributes attributes;
  cudaFuncGetAttributes(&attributes, own);
  // CHECK: own: 45056 bytes, 4096 more
  printf("own: %zu bytes, %d more\n", attributes.sharedSizeBytes, attributes.maxDynamicSharedSizeBytes);
  cudaFuncGetAttributes(&attributes, none);
  // CHECK: none: 0 bytes, 49152 more
  printf("none: %zu bytes, %d more\n", attributes.sharedSizeBytes, attributes.maxDynamicSharedSizeBytes);
  // CHECK: 4096: cudaSuccess
  printf("4096: %s\n", launch(a, 4096));
  // CHECK: 4100: cudaErrorInvalidConfiguration
  printf("4100: %s\n", launch(a, 4100));
  // CHECK: too much: cudaErrorInvalidValue
  printf("too much: %s\n", cudaGetErrorName(cudaFuncSetAttribute(own, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 << 10)));
  cudaGetLastError();
  cudaFuncSetAttribute(own, cudaFuncAttributeMaxDynamicSharedMemorySize, 100 << 10);
  // CHECK: 100000: cudaSuccess
  printf("100000: %s\n", launch(a, 100000));
  int blocks;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, own, 32, 0);
  // CHECK: 5 blocks
  printf("%d blocks\n", blocks);
  cudaFree(a);
}
