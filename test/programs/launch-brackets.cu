// Brackets of launches that a formatter has taken apart, as nvcc takes them, too. Lines keep their length.
// RUN: gpuopt cc %s -o %t && env GPUOPT_DEVICE=cpu %t | FileCheck %s
// RUN: %on_gpu %t | FileCheck %s
// RUN: not gpuopt cc -DWRONG %s -o %t.wrong 2>&1 | FileCheck %s --check-prefix=ERROR
#include <cstdio>
#include <iostream>

template <class T> __global__ void fill(T *a) { a[threadIdx.x] = T(threadIdx.x); }

int main() {
  int *a;
  cudaMallocManaged(&a, 32 * sizeof *a);
  fill<int> << <1, 32 >> >(a);
  cudaDeviceSynchronize();
  // CHECK: 31
  std::cout << a[31] << std::endl;
  fill << < dim3(1), dim3(32) >> > (a);
#ifdef WRONG
  // ERROR: launch-brackets.cu:[[@LINE+1]]:28: error: use of undeclared identifier 'b'
  fill<int> << <1, 32 >> >(b);
#endif
}
