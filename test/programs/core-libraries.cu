// Thrust and CUB of an installed SDK on the prelude: their kernels are launched by host code of their headers, and
// their inline PTX runs on the CPU.
// REQUIRES: cuda-sdk
// RUN: gpuopt cc -std=c++17 %s -o %t
// RUN: env GPUOPT_DEVICE=cpu %t | FileCheck %s
// RUN: %on_gpu %t | FileCheck %s

#include <algorithm>
#include <cstdio>
#include <cub/cub.cuh>
#include <thrust/device_vector.h>
#include <thrust/sort.h>
#include <vector>

__global__ void blockSums(const float *a, float *sums, int n) {
  typedef cub::BlockReduce<float, 128> Reduce;
  __shared__ typename Reduce::TempStorage storage;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = Reduce(storage).Sum(i < n ? a[i] : 0);
  if (threadIdx.x == 0)
    sums[blockIdx.x] = sum;
}

int main() {
  constexpr int n = 20000;
  std::vector<int> host(n);
  unsigned state = 1;
  for (int &x : host)
    x = int((state = state * 1664525u + 1013904223u) >> 8) - (1 << 23);
  thrust::device_vector<int> device(host.begin(), host.end());
  thrust::sort(device.begin(), device.end());
  std::sort(host.begin(), host.end());
  std::vector<int> result(n);
  thrust::copy(device.begin(), device.end(), result.begin());
  // CHECK: sorted: 1
  std::printf("sorted: %d\n", result == host);

  std::vector<float> numbers(n);
  for (int i = 0; i < n; ++i)
    numbers[i] = i % 10;
  float *a, *scanned, *sums;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&scanned, n * sizeof(float));
  cudaMalloc(&sums, 2 * sizeof(float));
  cudaMemcpy(a, numbers.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  void *storage = nullptr;
  size_t bytes = 0;
  cub::DeviceScan::InclusiveSum(storage, bytes, a, scanned, n);
  cudaMalloc(&storage, bytes);
  cub::DeviceScan::InclusiveSum(storage, bytes, a, scanned, n);
  float last = 0;
  cudaMemcpy(&last, scanned + n - 1, sizeof last, cudaMemcpyDeviceToHost);
  // CHECK: scanned: 90000
  std::printf("scanned: %g\n", last);

  blockSums<<<2, 128>>>(a, sums, 150);
  float both[2];
  cudaMemcpy(both, sums, sizeof both, cudaMemcpyDeviceToHost);
  // CHECK: sums: 568 107
  std::printf("sums: %g %g\n", both[0], both[1]);
}
