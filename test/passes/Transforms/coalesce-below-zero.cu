// Before the first work item tiles begin at ids below zero, which ids are not
// in fewer bits or without a sign: what the first elements are needed for must
// not depend on it.
//
// RUN: gpuopt compile %s --target sm_90 --explain -o /dev/null 2>&1 | FileCheck %s
// CHECK-COUNT-3: CoalesceAccesses at {{.*}} through {{.*}}tile
//
// RUN: gpuopt check %s --target sm_90 --size n=1
// RUN: gpuopt check %s --target sm_90 --size n=1000
// RUN: gpuopt check %s --target gfx942 --size n=67

// The guard compares 64 bits without a sign.
#pragma gpuopt domain(n) array(a: n + 2) array(c: n) output(c)
__global__ void wide_size(const float *__restrict__ a, float *__restrict__ c, unsigned long long n) {
  unsigned x = threadIdx.x + blockIdx.x * blockDim.x;
  if (!(n > x)) return;
  float sum = a[x + 1] + a[x + 2] + a[x];
  c[x] = sum;
}

// The same, and a tile of what neighbours share in a loop.
#pragma gpuopt domain(n) array(a: n + 64) array(c: n) output(c)
__global__ void window(const short *__restrict__ a, float *__restrict__ c, unsigned long long n) {
  unsigned x = threadIdx.x + blockIdx.x * blockDim.x;
  if (x < n) {
    float sum = 0;
    for (int i = 0; i < 64; i++) sum += (float)a[x + i];
    c[x] = sum;
  }
}

// A lower bound below zero is none.
#pragma gpuopt domain(n, 2) array(a: n, n) array(b: n) array(c: 2, n) output(c)
__global__ void low_bound(const float *__restrict__ a, const float *__restrict__ b, float *c, int n, size_t s) {
  int x = threadIdx.x + blockIdx.x * blockDim.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (!(y <= 1)) return;
  if (x < n) {
    float sum = 1;
    for (int i = 0; i < n; i++)
      if (x > -8)
        if ((unsigned)x <= s) sum += a[x * n + i] * b[i];
    c[y * n + x] += sum;
  }
}
