// What kernels print is the program's output; once, where launches are checked.
// RUN: gpuopt cc %s -o %t
// RUN: env GPUOPT_DEVICE=cpu %t | FileCheck %s
// RUN: %on_gpu %t | FileCheck %s
// RUN: env GPUOPT_DEVICE=cpu gpuopt run --check -- %t | FileCheck %s

#include <cstdio>

__global__ void say(const float *x, unsigned char c, long long n) {
  printf("thread %d of %u: %.2f %c %lld %s%%\n", threadIdx.x, blockDim.x, x[threadIdx.x], c, n, "all");
}

int main() {
  float host[2] = {0.5f, 1.25f}, *x;
  cudaMalloc(&x, sizeof host);
  cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
  say<<<1, 2>>>(x, 'c', 1ll << 33);
  cudaDeviceSynchronize();
  // CHECK: thread 0 of 2: 0.50 c 8589934592 all%
  // CHECK-NEXT: thread 1 of 2: 1.25 c 8589934592 all%
  // CHECK-NEXT: done
  // CHECK-NOT: thread
  printf("done\n");
}
