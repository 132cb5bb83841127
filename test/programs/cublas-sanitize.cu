// What libraries and copies from variables write counts as written for the sanitizer.
// REQUIRES: cublas
// RUN: gpuopt cc %s -o %t -lcublas
// RUN: env GPUOPT_DEVICE=cpu gpuopt run --sanitize -- %t 2>&1 | FileCheck %s
// CHECK-NOT: gpuopt:
// CHECK: 42
// CHECK: sanitized: all 1 launches
#include <cstdio>
#include <cublas_v2.h>

__device__ float table[16];

__global__ void add(float *a, const float *b) { a[threadIdx.x] += b[threadIdx.x]; }

int main() {
  const int n = 4;
  float ones[n * n], *matrix, *product, *copy;
  for (float &one : ones)
    one = 1;
  cudaMalloc(&matrix, sizeof ones);
  cudaMalloc(&product, sizeof ones);
  cudaMalloc(&copy, sizeof ones);
  cudaMemcpy(matrix, ones, sizeof ones, cudaMemcpyHostToDevice);
  cudaMemcpyToSymbol(table, ones, sizeof ones);
  cudaMemcpyFromSymbol(copy, table, sizeof ones, 0, cudaMemcpyDeviceToDevice);
  cublasHandle_t handle;
  cublasCreate(&handle);
  const float alpha = 10.25f, beta = 0;
  cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &alpha, matrix, n, matrix, n, &beta, product, n);
  add<<<1, n * n>>>(product, copy);
  float result;
  cudaMemcpy(&result, product + 5, sizeof result, cudaMemcpyDeviceToHost);
  printf("%g\n", result);
  cublasDestroy(handle);
  for (float *array : {matrix, product, copy})
    cudaFree(array);
}
