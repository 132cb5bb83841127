// States of random numbers are allocated by the host, and are what an SDK's functions take them for on the device.
// RUN: gpuopt cc %s -o %t
// RUN: env GPUOPT_DEVICE=cpu gpuopt run --check -- %t 2>&1 | FileCheck %s
// REQUIRES: cuda-sdk

#include <cstdio>
#include <curand_kernel.h>

template <class State> __global__ void start(State *states) { curand_init(7, threadIdx.x, 0, states + threadIdx.x); }
template <class State> __global__ void draw(State *states, float *sum, int n) {
  State state = states[threadIdx.x];
  float own = 0;
  for (int i = 0; i < n; ++i)
    own += curand_uniform(&state) + 0 * curand_normal(&state);
  states[threadIdx.x] = state;
  sum[threadIdx.x] = own;
}

template <class State> static void run(const char *name) {
  constexpr int threads = 64, n = 20;
  State *states;
  float *sums, mean = 0;
  cudaMalloc(&states, threads * sizeof(State));
  cudaMallocManaged(&sums, threads * sizeof(float));
  start<<<1, threads>>>(states);
  draw<<<1, threads>>>(states, sums, n);
  cudaError_t error = cudaDeviceSynchronize();
  for (int i = 0; i < threads; ++i)
    mean += sums[i] / (threads * n);
  printf("%s: %s, %d\n", name, cudaGetErrorName(error), mean > 0.45f && mean < 0.55f);
  cudaFree(states);
  cudaFree(sums);
}

int main() {
  // CHECK: XORWOW: cudaSuccess, 1
  run<curandState>("XORWOW");
  // CHECK: Philox: cudaSuccess, 1
  run<curandStatePhilox4_32_10_t>("Philox");
  // CHECK: checked: all 4 launches
}
