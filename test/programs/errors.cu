// The runtime answers what a program does wrong as CUDA's does.
// RUN: gpuopt cc %s -o %t
// RUN: env GPUOPT_DEVICE=cpu GPUOPT_DEVICE_MEMORY=1M %t 2> %t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=SAID --input-file=%t.err

#include <cstdio>

__global__ void fill(int *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] = i;
}

__global__ void fail() { __trap(); }

__device__ int counter;

static void say(const char *what, cudaError_t error) {
  printf("%s: %s, %s\n", what, cudaGetErrorName(error), cudaGetErrorString(error));
}

int main() {
  int *a, *b, host[4] = {};
  // CHECK: allocate: cudaSuccess, no error
  say("allocate", cudaMalloc(&a, 64 * sizeof(int)));
  // CHECK: too much: cudaErrorMemoryAllocation, out of memory
  say("too much", cudaMalloc(&b, 2 << 20));
  // The last error stays until somebody asks, and is gone then.
  // CHECK: last: cudaErrorMemoryAllocation
  say("last", cudaGetLastError());
  // CHECK: next: cudaSuccess
  say("next", cudaGetLastError());
  // CHECK: too many threads: cudaErrorInvalidConfiguration
  fill<<<1, 2048>>>(a, 64);
  say("too many threads", cudaGetLastError());
  // CHECK: no blocks: cudaErrorInvalidConfiguration
  fill<<<0, 64>>>(a, 64);
  say("no blocks", cudaGetLastError());
  // CHECK: too long: cudaErrorInvalidValue
  say("too long", cudaMemcpy(a, host, 65 * sizeof(int), cudaMemcpyHostToDevice));
  // CHECK: no device memory: cudaErrorInvalidValue
  say("no device memory", cudaMemcpy(host + 1, host, sizeof(int), cudaMemcpyHostToDevice));
  // CHECK: wrong way: cudaErrorInvalidValue
  say("wrong way", cudaMemcpy(a, host, sizeof(int), cudaMemcpyDeviceToHost));
  // CHECK: free twice: cudaSuccess
  // CHECK: free twice: cudaErrorInvalidValue
  say("free twice", cudaFree(a));
  say("free twice", cudaFree(a));
  // CHECK: host variable: cudaErrorInvalidSymbol
  static int notOnDevice;
  say("host variable", cudaMemcpyToSymbol(notOnDevice, host, sizeof(int)));
  // CHECK: by name: cudaSuccess
  int three = 3, read = 0;
  say("by name", cudaMemcpyToSymbol("counter", &three, sizeof(int)));
  cudaMemcpyFromSymbol(&read, counter, sizeof(int));
  // CHECK: counter 3
  printf("counter %d\n", read);
  // CHECK: device 7: cudaErrorInvalidDevice
  say("device 7", cudaSetDevice(7));
  // CHECK: no event: cudaErrorInvalidResourceHandle
  say("no event", cudaEventRecord((cudaEvent_t)&three));

  // What a kernel does wrong ends all work on the device. Memory that has been
  // freed is the program's no more.
  fail<<<1, 1>>>();
  cudaGetLastError();
  cudaError_t error = cudaDeviceSynchronize();
  // CHECK: trap: cudaErrorLaunchFailure
  say("trap", error);
  // CHECK: afterwards: cudaErrorLaunchFailure
  say("afterwards", cudaMalloc(&a, 4));
}
// SAID: errors.cu:14:{{[0-9]+}}: kernel 'fail()', launch {{[0-9]+}}: trap: {{.*}}traps
