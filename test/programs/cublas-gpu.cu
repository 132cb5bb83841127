// The cuBLAS of gpuopt works on the CPU, and says so on a GPU.
// REQUIRES: cublas
// RUN: gpuopt cc %s -o %t -lcublas
// RUN: %on_gpu %t 2>&1 | FileCheck %s
#include <cublas_v2.h>
#include <cstdio>

__global__ void nothing() {}

int main() {
  nothing<<<1, 1>>>();
  cublasHandle_t handle;
  // CHECK: gpuopt: libgpuopt_cublas works on the CPU only; on a GPU programs need NVIDIA's own
  // CHECK: create: CUBLAS_STATUS_NOT_SUPPORTED
  printf("create: %s\n", cublasGetStatusName(cublasCreate(&handle)));
}
