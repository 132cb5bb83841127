// A kernel that the CPU cannot run ends all work, as one that goes wrong does: a program that passes over the error of a
// launch is not left with what was there before.
// RUN: gpuopt cc %s -o %t
// RUN: env GPUOPT_DEVICE=cpu %t 2>&1 | FileCheck %s
// RUN: not env GPUOPT_DEVICE=cpu gpuopt run --check -- %t 2>&1 | FileCheck %s --check-prefix=CHECKED
// CHECKED: cudaErrorLaunchFailure

#include <cstdio>

__global__ void reads(unsigned *a) { asm volatile("mov.u32 %0, %%smid;" : "=r"(*a)); }

int main() {
  unsigned *device, host = 0;
  cudaMalloc(&device, sizeof host);
  // CHECK: kernel '{{.*}}reads{{.*}}' contains inline assembly that cannot run on the CPU: mov.u32 $0, %smid;
  reads<<<1, 1>>>(device);
  // CHECK: copied: cudaErrorLaunchFailure
  printf("copied: %s\n", cudaGetErrorName(cudaMemcpy(&host, device, sizeof host, cudaMemcpyDeviceToHost)));
}
