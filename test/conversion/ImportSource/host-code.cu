// Host code is none of our business: its bodies are skipped, so an API of long
// ago or of another SDK does not matter; nor does a header that is not there.
// RUN: gpuopt-translate --cuda-to-mlir %s --target=sm_90 2>&1 | FileCheck %s
// RUN: gpuopt-translate --cuda-to-mlir %s --target=gfx942 2>&1 | FileCheck %s

#include <cstdio>
#include <iostream>
#include <vector>
// CHECK: host-code.cu:[[# @LINE + 1]]:1: warning: 'helper_cuda_from_elsewhere.h' not found; going on without it
#include <helper_cuda_from_elsewhere.h>

texture<float, 1, cudaReadModeElementType> table;

struct Timer {
  std::vector<float> samples;
  void report() { for (float s : samples) std::cout << s << undeclared; }
};

// CHECK: llvm.func {{.*}}kernelcc @_Z1fPfi
__global__ void f(float *a, int n) {
  if (threadIdx.x < n)
    a[threadIdx.x] += 1;
}

int main(int argc, char **argv) {
  float *a;
  CUT_DEVICE_INIT(argc, argv);
  cudaBindTexture(0, table, a, 4);
  f<<<dim3(1), dim3(32)>>>(a, 32);
  cudaThreadSynchronize();
  return checkCudaErrors(cudaGetLastError());
}
