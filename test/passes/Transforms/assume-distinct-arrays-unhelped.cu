// That `m` is not negative is asked of launchers for extents, and is no help for all of them: it is asked for once.
// RUN: gpuopt compile %s --target sm_90 --explain -o /dev/null 2>&1 | FileCheck %s
// CHECK: AssumeDistinctArrays at [[#@LINE+1]]
__global__ void unhelped(long long *a, const long long *b, const unsigned long long *c, size_t n, unsigned m) {
  int x = blockDim.x * blockIdx.x + threadIdx.x;
  if ((unsigned)x < n)
    a[x] = b[x + 1 + m % 8] - c[(unsigned)(x * m + x) % 2u];
}
