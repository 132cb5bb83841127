// A transposition in workgroup memory whose layout has to stay, as an element is chosen at run time: between the barriers threads
// do the work of those on a diagonal.
//
// RUN: gpuopt compile %s --target sm_90 --explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=EXPLAIN
// RUN: gpuopt check %s --target sm_90 --grid 3 | FileCheck %s
// RUN: gpuopt check %s --target gfx942 --grid 3 | FileCheck %s
// CHECK-NOT: FAILED
// CHECK: passed

__global__ void transpose(const float *a, const int *chosen, float *out) {
  __shared__ float from[1024], to[1024];
  int x = threadIdx.x, y = threadIdx.y, first = blockIdx.x * 1024;
  from[y * 32 + x] = a[first + y * 32 + x];
  __syncthreads();
  // EXPLAIN: + RemapThreads at [[@LINE+1]]:{{[0-9]+}}: between barriers thread (x, y) does the work of (x, x + y): conflict degree 32 becomes 1
  to[y * 32 + x] = from[x * 32 + y];
  __syncthreads();
  out[first + y * 32 + x] = to[y * 32 + x] + from[chosen[x] & 1023] + to[chosen[y] & 1023];
}

void launch(const float *a, const int *chosen, float *out, int blocks) {
  transpose<<<blocks, dim3(32, 32)>>>(a, chosen, out);
}
