// Loops that are unrolled and hand on what an iteration began with: equal to the kernel as it is written.
// RUN: gpuopt check %s --target sm_90 --size n=1000,in=1003,out=1000 | FileCheck %s
// RUN: gpuopt check %s --target gfx942 --size n=77,in=80,out=77 | FileCheck %s
// CHECK: out: {{[0-9]+}} elements, equal
// CHECK: passed
__global__ void rotating(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float before = 1, latest = 0, sum = 0;
#pragma unroll 1
  for (int k = 0; k < 4; ++k) {
    sum += before * in[i + k];
    before = latest;
    latest = in[i + k];
  }
  out[i] = sum + before * 10 + latest * 100;
}
