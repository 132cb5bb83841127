// What host code has under nvcc without an #include: C's mathematics with the overloads of C++, functions of the SDK's that
// run on both sides, bfloat16.
// RUN: gpuopt cc -std=c++17 %s -o %t && env GPUOPT_DEVICE=cpu %t | FileCheck %s

// A program that asks its host compiler for OpenMP links, whichever OpenMP library is there.
// RUN: gpuopt cc -std=c++17 -DWITH_OPENMP -Xcompiler -fopenmp %s -o %t.openmp
// RUN: env GPUOPT_DEVICE=cpu %t.openmp | FileCheck %s
#include <cuda_bf16.h>

template <int Size> __global__ void fill(int *a) { a[threadIdx.x] = Size; }

// Kernels that only a generic lambda instantiates, by a type of the host's headers.
template <class Launch> void dispatch(int size, Launch launch) {
  switch (size) {
  case 32:
    return launch(std::integral_constant<int, 32>{});
  case 64:
    return launch(std::integral_constant<int, 64>{});
  }
}

#ifdef WITH_OPENMP
#include <omp.h>
#endif

int main() {
  float f = 2.5f;
  double d = 4;
  // CHECK: 2.5 4 4 0.5 1 1.5
  printf("%g %g %g %g %d %g\n", min(f, 3.0f), max(f, d), max(d, 1.0f), rsqrt(d), isfinite(d) && !isnan(f), abs(-1.5));
  // CHECK-NEXT: 1.0078125 0.33398{{.*}} 2.5
  __nv_bfloat16 third = 1.0f / 3;
  printf("%.8g %.8g %g\n", (float)(__nv_bfloat16)1.006f, (float)third, (double)__float2bfloat16(f));
  int *a, first;
  cudaMalloc(&a, 64 * sizeof(int));
  dispatch(64, [&](auto size) { fill<size.value><<<1, size.value>>>(a); });
  cudaMemcpy(&first, a, sizeof(int), cudaMemcpyDeviceToHost);
  // CHECK-NEXT: 64 no error
  printf("%d %s\n", first, cudaGetErrorString(cudaGetLastError()));
#ifdef WITH_OPENMP
  int sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < 10; ++i)
    sum += i;
  return sum != 45 || omp_get_max_threads() < 1;
#endif
}
