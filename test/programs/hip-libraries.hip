// What programs for AMD's GPUs use beside HIP's functions: vectors as numbers, atomic extremes of real numbers, hipBLAS.
// REQUIRES: cublas
// RUN: gpuopt cc %s -lhipblas -o %t
// RUN: env GPUOPT_DEVICE=cpu %t | FileCheck %s
// RUN: env GPUOPT_DEVICE=cpu gpuopt run --check -- %t 2>&1 | FileCheck %s --check-prefixes=CHECK,CHECKED

#include <hip/hip_runtime.h>
#include <hipblas/hipblas.h>
#include <cstdio>

// A program's own goes before.
__host__ __device__ int2 operator-(int2 a, int2 b) { return make_int2(a.x - b.x + 100, a.y - b.y + 100); }

__global__ void combine(float4 *a, uchar4 *bytes, float *least, double *most, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float4 value = make_float4(i, 1, 2, 3);
  value += value * 2.0f;
  value = 1.0f - (value / make_float4(1, 3, 2, 1)) + a[i];
  a[i] = -value;
  bytes[i] ^= make_uchar4(0xff, 1, i, 0);
  atomicMin(least, value.x);
  atomicMax(most, double(-value.x));
}

int main() {
  constexpr int n = 64;
  float4 *a;
  uchar4 *bytes;
  float *least;
  double *most;
  hipMallocManaged(&a, n * sizeof *a);
  hipMallocManaged(&bytes, n * sizeof *bytes);
  hipMallocManaged(&least, sizeof *least);
  hipMallocManaged(&most, sizeof *most);
  for (int i = 0; i < n; ++i) {
    a[i] = make_float4(1, 1, 1, 1);
    bytes[i] = make_uchar4(1, 1, 1, 1);
  }
  *least = 0;
  *most = 0;
  combine<<<1, n>>>(a, bytes, least, most, n);
  hipDeviceSynchronize();
  // CHECK: vector 7 -1 1 7
  printf("vector %g %g %g %g\n", a[3].x, a[3].y, a[3].z, a[3].w);
  // CHECK: bytes 254 0 4 1
  printf("bytes %d %d %d %d\n", bytes[5].x, bytes[5].y, bytes[5].z, bytes[5].w);
  // CHECK: least -187, most 187
  printf("least %g, most %g\n", *least, *most);
  int2 difference = make_int2(3, 4) - make_int2(1, 1);
  // CHECK: own 102 103, equal 1 0
  printf("own %d %d, equal %d %d\n", difference.x, difference.y, make_int2(1, 2) == make_int2(1, 2), make_float3(1, 2, 3) == make_float3(1, 2, 4));

  hipblasHandle_t handle;
  float *x, *y, alpha = 2, beta = 0, host[4] = {1, 2, 3, 4}, product[4];
  hipMalloc(&x, sizeof host);
  hipMalloc(&y, sizeof host);
  hipMemcpy(x, host, sizeof host, hipMemcpyHostToDevice);
  hipblasStatus_t status = hipblasCreate(&handle);
  if (status == HIPBLAS_STATUS_SUCCESS)
    status = hipblasSgemm(handle, HIPBLAS_OP_N, HIPBLAS_OP_T, 2, 2, 2, &alpha, x, 2, x, 2, &beta, y, 2);
  hipMemcpy(product, y, sizeof product, hipMemcpyDeviceToHost);
  // CHECK: product 20 28 28 40, CUBLAS_STATUS_SUCCESS
  printf("product %g %g %g %g, %s\n", product[0], product[1], product[2], product[3], hipblasStatusToString(status));
  hipblasDestroy(handle);
}
// CHECKED: combine{{.*}} {{ *}}1 {{ *}}{{[01]}} {{ *}}1
