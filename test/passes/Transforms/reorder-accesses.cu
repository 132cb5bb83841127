// Sums of rows whose layout has to stay, as an element is chosen at run time: threads start in different banks, and sums of
// integers are the same in any order, those of floating-point numbers where that is allowed.
//
// RUN: gpuopt compile %s --target sm_90 --explain -o /dev/null 2>&1 | FileCheck %s --check-prefixes=EXPLAIN,STRICT
// RUN: gpuopt compile %s --target sm_90 --explain --reassociate -o /dev/null 2>&1 | FileCheck %s --check-prefixes=EXPLAIN,FREE
// RUN: gpuopt check %s --target sm_90 --grid 3 | FileCheck %s
// RUN: gpuopt check %s --target sm_90 --grid 3 --reassociate | FileCheck %s
// RUN: gpuopt check %s --target gfx942 --grid 3 | FileCheck %s
// CHECK-NOT: FAILED
// CHECK: passed
// CHECK: passed

template <typename T> __device__ void sum(const T *a, const int *chosen, T *out) {
  __shared__ T tile[4096];
  int t = threadIdx.x, first = blockIdx.x * 4096;
  for (int i = 0; i < 64; ++i)
    tile[i * 64 + t] = a[first + i * 64 + t];
  __syncthreads();
  T s = 0;
  // EXPLAIN: integers
  // EXPLAIN: + ReorderAccesses at [[@LINE+5]]:3: each 1 thread(s) start the loop an iteration further on: conflict degree 8 becomes 1
  // EXPLAIN: floats
  // STRICT: - ReorderAccesses at [[@LINE+4]]:7: {{.*}}reassoc
  // STRICT-NOT: + ReorderAccesses
  // FREE: + ReorderAccesses at [[@LINE+1]]:3
  for (int k = 0; k < 64; ++k)
    s += tile[t * 64 + k];
  out[blockIdx.x * 64 + t] = s + tile[chosen[t] & 4095];
}

__global__ void __launch_bounds__(64) integers(const int *a, const int *chosen, int *out) { sum(a, chosen, out); }
__global__ void __launch_bounds__(64) floats(const float *a, const int *chosen, float *out) { sum(a, chosen, out); }

void launch(const int *a, const float *b, const int *chosen, int *out, float *results, int blocks) {
  integers<<<blocks, 64>>>(a, chosen, out);
  floats<<<blocks, 64>>>(b, chosen, results);
}
