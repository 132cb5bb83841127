// cudaDeviceReset frees what the program has allocated, and variables are as they were.
// RUN: gpuopt cc %s -o %t
// RUN: env GPUOPT_DEVICE=cpu GPUOPT_DEVICE_MEMORY=1M gpuopt run --sanitize -- %t 2>&1 | FileCheck %s

#include <cstdio>

__device__ int number = 7;
__global__ void count(int *a) { *a = number++; }

int main() {
  for (int round = 0; round < 2; ++round) {
    int *a, host;
    if (cudaMalloc(&a, 768 << 10) != cudaSuccess)
      return 1;
    count<<<1, 1>>>(a);
    cudaMemcpy(&host, a, sizeof host, cudaMemcpyDeviceToHost);
    // CHECK: number 7
    printf("number %d\n", host);
    cudaDeviceReset();
    // CHECK: freed: cudaErrorInvalidValue
    // CHECK: number 7
    printf("freed: %s\n", cudaGetErrorName(cudaFree(a)));
  }
  // CHECK-NOT: leak
  // CHECK: sanitized: all 2 launches
}
