// A failed assertion is said as CUDA says it, and ends what the program does on the device.
// RUN: gpuopt cc %s -o %t
// RUN: env GPUOPT_DEVICE=cpu %t 2>&1 | FileCheck %s
// RUN: %on_gpu %t 2>&1 | FileCheck %s
// RUN: gpuopt cc -DNDEBUG %s -o %t.without
// RUN: env GPUOPT_DEVICE=cpu %t.without 2>&1 | FileCheck %s --check-prefix=WITHOUT

// Once, where launches are checked.
// RUN: not env GPUOPT_DEVICE=cpu gpuopt run --check -- %t 2>&1 | FileCheck %s --check-prefixes=CHECK,CHECKED

// The driver of a device prints it as well; where a language has no such function, it is a trap.
// RUN: gpuopt compile %s -o - | FileCheck %s --check-prefix=PTX
// PTX: .extern .func __assertfail
// RUN: gpuopt compile %s --emit cuda -o - | FileCheck %s --check-prefix=SOURCE
// SOURCE: __trap();
// RUN: not gpuopt check %s --size n=100 2>&1 | FileCheck %s --check-prefix=TOOL
// TOOL: {{.*}}assert.cu:[[#@LINE+9]]: {{.*}} Assertion `a[i] < 7` failed.

#include <cassert>
#include <cstdio>

__global__ void halve(int *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  assert(a[i] < 7);
  a[i] /= 2;
}
// CHECK: {{.*}}assert.cu:[[#@LINE-3]]: void halve(int *, int): block: [1,0,0], thread: [3,0,0] Assertion `a[i] < 7` failed.
// CHECK-NOT: Assertion

int main() {
  setvbuf(stdout, nullptr, _IONBF, 0);
  int host[8] = {0, 1, 2, 3, 4, 5, 6, 7}, *a;
  cudaMalloc(&a, sizeof host);
  cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);
  halve<<<2, 4>>>(a, 8);
  // CHECK: cudaErrorAssert: device-side assert triggered
  // WITHOUT: cudaSuccess
  cudaError_t error = cudaDeviceSynchronize();
  printf("%s: %s\n", cudaGetErrorName(error), cudaGetErrorString(error));
  // CHECKED: launch 1: cudaErrorAssert
}
