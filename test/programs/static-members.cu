// Variables of the device that are members of a class template: each instance has its own, with its first value.
// RUN: gpuopt cc %s -o %t
// RUN: env GPUOPT_DEVICE=cpu %t | FileCheck %s
// RUN: %on_gpu %t | FileCheck %s
// One that is defined without saying so again is of the device as well.
// RUN: gpuopt cc -DSHORT %s -o %t && env GPUOPT_DEVICE=cpu %t | FileCheck %s

#include <cstdio>

template <class T> struct Held {
  static __device__ T number;
};
#ifdef SHORT
template <class T> T Held<T>::number = T(3.5);
#else
template <class T> __device__ T Held<T>::number = T(3.5);
#endif

template <class T> __global__ void add(T *a) {
  a[threadIdx.x] = Held<T>::number;
  __syncthreads();
  if (threadIdx.x == 0)
    Held<T>::number += 1;
}

template <class T> static double run() {
  T *a;
  cudaMallocManaged(&a, 32 * sizeof *a);
  add<<<1, 32>>>(a);
  cudaDeviceSynchronize();
  return a[5];
}

int main() {
  // CHECK: 3 3.5
  printf("%g %g\n", run<int>(), run<float>());
  // CHECK: 4 4.5
  printf("%g %g\n", run<int>(), run<float>());
}
