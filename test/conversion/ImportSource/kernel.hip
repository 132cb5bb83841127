// HIP's names, for both vendors.
// RUN: gpuopt-translate --cuda-to-mlir %s --target=sm_90 | FileCheck %s
// RUN: gpuopt-translate --cuda-to-mlir %s --target=gfx942 | FileCheck %s

#include <hip/hip_runtime.h>

// CHECK: llvm.func {{.*}}kernelcc @_Z1fPfi
// CHECK: llvm.call @__gpuopt_block_id_x
// CHECK: llvm.call @__gpuopt_barrier
__global__ void f(float *a, int n) {
  HIP_DYNAMIC_SHARED(float, s);
  int i = hipBlockIdx_x * hipBlockDim_x + hipThreadIdx_x;
  s[hipThreadIdx_x] = a[i];
  __syncthreads();
  if (i < n)
    a[i] = s[hipBlockDim_x - 1 - hipThreadIdx_x];
}

int main() {
  float *a;
  hipMalloc((void **)&a, 1024);
  hipLaunchKernelGGL(f, dim3(1), dim3(256), 1024, 0, a, 256);
  hipDeviceSynchronize();
}
