// Templates that launch kernels, and what calls them, are the host's: their explicit instantiations are nothing that the device has to compile.
// RUN: gpuopt cc -std=c++17 %s -o %t 2>&1 | count 0
// RUN: env GPUOPT_DEVICE=cpu %t | FileCheck %s

#include <cstdio>
#include <vector>

template <class T, int Step> __global__ void add(T *a, T value) { a[threadIdx.x * Step] += value; }

// Anybody's.
template <class T> __host__ __device__ T twice(T value) { return value + value; }
template <class T> __global__ void addTwice(T *a, T value) { a[threadIdx.x] += twice(value); }

template <class T, int Step> void launch(T *a, const std::vector<T> &values) {
  std::vector<size_t> sizes = {values.size(), 2};
  for (T value : values)
    add<T, Step><<<1, unsigned(sizes[0]) * 0 + 32 / Step>>>(a, value);
}
template <class T> void launchAll(T *a, bool isSparse) {
  std::vector<T> values = {1, twice(T(5))};
  if (isSparse)
    launch<T, 2>(a, values);
  else
    launch<T, 1>(a, {values[0]});
  addTwice<<<1, 1>>>(a, T(100));
}
template void launchAll<int>(int *, bool);
template void launchAll<double>(double *, bool);

template <class T> static void run() {
  T *a;
  cudaMallocManaged(&a, 32 * sizeof *a);
  launchAll(a, true);
  launchAll(a, false);
  cudaDeviceSynchronize();
  printf("%g %g %g\n", double(a[0]), double(a[1]), double(a[2]));
}

int main() {
  // CHECK: 412 1 12
  run<int>();
  // CHECK: 412 1 12
  run<double>();
}
