// hipCUB is CUB.
// REQUIRES: cuda-sdk
// RUN: gpuopt cc -std=c++17 %s -o %t
// RUN: env GPUOPT_DEVICE=cpu %t | FileCheck %s

#include <hipcub/block/block_reduce.hpp>
#include <hipcub/hipcub.hpp>
#include <hip/hip_runtime.h>
#include <cstdio>

__global__ void sum(const int *a, int *result) {
  using Reduce = hipcub::BlockReduce<int, 128>;
  __shared__ typename Reduce::TempStorage storage;
  int total = Reduce(storage).Sum(a[threadIdx.x]);
  int largest = Reduce(storage).Reduce(a[threadIdx.x], hipcub::Max());
  if (threadIdx.x == 0) {
    result[0] = total;
    result[1] = largest;
  }
}

int main() {
  int *a, *result;
  hipMallocManaged(&a, 128 * sizeof(int));
  hipMallocManaged(&result, 2 * sizeof(int));
  for (int i = 0; i < 128; ++i)
    a[i] = i;
  sum<<<1, 128>>>(a, result);
  hipDeviceSynchronize();
  // CHECK: sum 8128
  printf("sum %d\n", result[0]);
  void *scratch = nullptr;
  size_t bytes = 0;
  hipcub::TransformInputIterator<int, hipcub::CastOp<int>, int *> same(a, {});
  hipcub::DeviceReduce::Reduce(scratch, bytes, same, result, 128, hipcub::Min(), 1000);
  hipMalloc(&scratch, bytes);
  hipError_t error = hipcub::DeviceReduce::Reduce(scratch, bytes, same, result, 128, hipcub::Min(), 1000);
  hipDeviceSynchronize();
  // CHECK: least 0, no error
  printf("least %d, %s\n", result[0], hipGetErrorString(error));
}
