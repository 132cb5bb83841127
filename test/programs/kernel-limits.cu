// What a kernel is compiled for, and how many blocks of it there can be.
// RUN: gpuopt cc %s -o %t
// RUN: env GPUOPT_DEVICE=cpu %t | FileCheck %s --check-prefixes=CHECK,CPU
// RUN: %on_gpu %t | FileCheck %s

#include <cstdio>

__global__ void __launch_bounds__(64) bounded(float *a) { a[blockIdx.x * blockDim.x + threadIdx.x] = 1; }
__global__ void free_one(float *a) { a[blockIdx.x * blockDim.x + threadIdx.x] = 2; }
__global__ void with_array(float *a) {
  __shared__ float tile[1024];
  tile[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  a[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}

int main() {
  float *a, first = 0;
  cudaMalloc(&a, 256 * sizeof *a);
  cudaMemset(a, 0, 256 * sizeof *a);
  // More threads than the bounds have are no launch, and the device goes on.
  bounded<<<2, 128>>>(a);
  // CHECK: too many: cudaErrorInvalidValue
  printf("too many: %s\n", cudaGetErrorName(cudaGetLastError()));
  bounded<<<2, dim3(8, 9)>>>(a);
  // CHECK: too many: cudaErrorInvalidValue
  printf("too many: %s\n", cudaGetErrorName(cudaGetLastError()));
  cudaMemcpy(&first, a, sizeof first, cudaMemcpyDeviceToHost);
  // CHECK: untouched 0
  printf("untouched %g\n", first);
  bounded<<<4, 64>>>(a);
  free_one<<<2, 128>>>(a + 0);
  // CHECK: no error
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));

  cudaFuncAttributes of_bounded, of_free;
  cudaFuncGetAttributes(&of_bounded, bounded);
  cudaFuncGetAttributes(&of_free, free_one);
  // CPU: threads 64 1024
  printf("threads %d %d\n", of_bounded.maxThreadsPerBlock, of_free.maxThreadsPerBlock);

  int blocks = -1, grid = 0, block = 0;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, bounded, 64, 0);
  int within = blocks;
  cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, bounded, 128, 0, cudaOccupancyDefault);
  // CPU: resident 32 0
  printf("resident %d %d\n", within, blocks);
  cudaOccupancyMaxPotentialBlockSize(&grid, &block, bounded);
  // CPU: block 64, grid {{[1-9]}}
  printf("block %d, grid %d\n", block, grid);
  cudaError_t error = cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, free_one, [](int threads) { return threads * 4 * sizeof(float); });
  // CHECK: variable 1, no error
  printf("variable %d, %s\n", block > 0 && block <= 1024, cudaGetErrorString(error));
  size_t bytes = 0;
  error = cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, with_array, 1, 256);
  // CHECK: available 1, no error
  printf("available %d, %s\n", bytes > (40 << 10), cudaGetErrorString(error));
  error = cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, bounded, 64, 0, 8);
  // CHECK: flags: cudaErrorInvalidValue
  printf("flags: %s\n", cudaGetErrorName(error));
}
