// Thrust beside halves, of which it declares structures: the prelude's are none.
// REQUIRES: cuda-sdk
// RUN: gpuopt cc -std=c++17 %s -o %t
// RUN: env GPUOPT_DEVICE=cpu %t | FileCheck %s

#include <cuda_fp16.h>
#include <cstdio>
#include <thrust/type_traits/is_trivially_relocatable.h>

static_assert(thrust::is_trivially_relocatable<__half>::value, "");
static_assert(thrust::is_trivially_relocatable<__half2>::value, "");

__global__ void add(__half *a) { a[threadIdx.x] = a[threadIdx.x] + __float2half(1.5f); }

int main() {
  __half *a;
  cudaMallocManaged(&a, 32 * sizeof *a);
  a[3] = __float2half(2);
  add<<<1, 32>>>(a);
  cudaDeviceSynchronize();
  // CHECK: 3.5
  printf("%g\n", __half2float(a[3]));
}
