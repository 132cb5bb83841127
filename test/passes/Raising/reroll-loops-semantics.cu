// Loops that are unrolled by hand, with what is left over: rerolled where the body is that of the rest, and right in any case.
// RUN: gpuopt check %s --inputs ordinary --target sm_90 --size n=35,m=5 --allow-fallback | FileCheck %s
// RUN: gpuopt check %s --inputs ordinary --target gfx942 --size n=32,m=5 --allow-fallback | FileCheck %s
// RUN: gpuopt check %s --inputs ordinary --target sm_90 --size n=3,m=5 --allow-fallback | FileCheck %s
// RUN: gpuopt check %s --inputs ordinary --target sm_90 --size n=0,m=5 --allow-fallback | FileCheck %s
// CHECK-COUNT-6: passed
// RUN: gpuopt compile %s --explain -o %t.ptx 2>&1 | FileCheck %s --check-prefix=STEPS
#define ROW int y = blockIdx.x * blockDim.x + threadIdx.x; if (y >= m) return; float s = 0; int i = 0;

// STEPS-LABEL: by_four
// STEPS: + RerollLoops at {{.*}}: one loop again: the source has 4 iterations of it written out, and the rest in another loop
#pragma gpuopt domain(m) array(a: m, n) array(c: m)
__global__ void by_four(const float *a, float *c, int m, int n) {
  ROW
  for (; i + 4 <= n; i += 4) {
    s = s * 0.5f + a[y * n + i];
    s = s * 0.5f + a[y * n + i + 1];
    s = s * 0.5f + a[y * n + i + 2];
    s = s * 0.5f + a[y * n + i + 3];
  }
  for (; i < n; ++i)
    s = s * 0.5f + a[y * n + i];
  c[y] = s;
}

// Two sums.
// STEPS-LABEL: by_two
// STEPS: + RerollLoops
#pragma gpuopt domain(m) array(a: m, n) array(c: m)
__global__ void by_two(const float *a, float *c, int m, int n) {
  ROW
  float t = 1;
  for (; i < n - 1; i += 2) {
    s += a[y * n + i];
    t = fmaxf(t, a[y * n + i]);
    s += a[y * n + i + 1];
    t = fmaxf(t, a[y * n + i + 1]);
  }
  for (; i < n; ++i) {
    s += a[y * n + i];
    t = fmaxf(t, a[y * n + i]);
  }
  c[y] = s + t;
}

// STEPS-LABEL: another_sum
// STEPS-NOT: RerollLoops
#pragma gpuopt domain(m) array(a: m, n) array(c: m)
__global__ void another_sum(const float *a, float *c, int m, int n) {
  ROW
  float t = 0;
  for (; i + 2 <= n; i += 2) {
    s += a[y * n + i];
    t += a[y * n + i + 1];
  }
  for (; i < n; ++i)
    s += a[y * n + i];
  c[y] = s + t;
}

// The last one is left out, the first twice.
#pragma gpuopt domain(m) array(a: m, n) array(c: m)
__global__ void another_element(const float *a, float *c, int m, int n) {
  ROW
  for (; i + 2 <= n; i += 2) {
    s = s * 0.5f + a[y * n + i];
    s = s * 0.5f + a[y * n + i];
  }
  for (; i < n; ++i)
    s = s * 0.5f + a[y * n + i];
  c[y] = s;
}

#pragma gpuopt domain(m) array(a: m, n) array(c: m)
__global__ void another_bound(const float *a, float *c, int m, int n) {
  ROW
  for (; i + 3 <= n; i += 2) {
    s = s * 0.5f + a[y * n + i];
    s = s * 0.5f + a[y * n + i + 1];
  }
  for (; i < n; ++i)
    s = s * 0.5f + a[y * n + i];
  c[y] = s;
}

// Downwards, tested below.
#pragma gpuopt domain(m) array(a: m, n) array(c: m)
__global__ void downwards(const float *a, float *c, int m, int n) {
  ROW
  for (i = n; i - 2 >= 0; i -= 2) {
    s = s * 0.5f + a[y * n + i - 1];
    s = s * 0.5f + a[y * n + i - 2];
  }
  for (; i > 0; --i)
    s = s * 0.5f + a[y * n + i - 1];
  c[y] = s;
}
