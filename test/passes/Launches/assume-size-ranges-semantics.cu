// Unsigned sizes of 32 and 64 bits are as good as those with a sign: the same tiles, vectors and merged threads, and the
// same results, also where a size is 0 and the guards and loops of the source wrap.
//
// RUN: gpuopt compile %s --target sm_90 --explain -o /dev/null 2>&1 | FileCheck %s
// CHECK-LABEL: product ({{.*}}) for sm_90
// CHECK: + AssumeSizeRanges at {{.*}}: launches with sizes that wrap take the original kernel
// CHECK: + AssumeDistinctArrays at {{.*}}: launches in which 'c' overlaps
// CHECK: + MergeThreads at {{.*}}: a thread does the work of 4 along x, next to each other
// CHECK-LABEL: inclusive ({{.*}}) for sm_90
// CHECK: + RaiseControlFlow at {{.*}}: loop counted in steps of 1
// CHECK: + MergeThreads at {{.*}}: a thread does the work of 4 along x, next to each other
// CHECK-LABEL: down ({{.*}}) for sm_90
// CHECK: + RaiseControlFlow at {{.*}}: loop counted in steps of -1
// CHECK: + MergeThreads at {{.*}}: a thread does the work of 4 along x, next to each other
// CHECK-LABEL: narrow_down ({{.*}}) for sm_90
// CHECK: + MergeThreads at {{.*}}: a thread does the work of 4 along x, next to each other
// CHECK-LABEL: at_end ({{.*}}) for sm_90
// CHECK: + MergeThreads at {{.*}}: a thread does the work of 4 along x, next to each other
// CHECK-LABEL: stencil ({{.*}}) for sm_90
// CHECK: + CoalesceAccesses
// CHECK-LABEL: narrow_stencil ({{.*}}) for sm_90
// CHECK: + CoalesceAccesses
// CHECK-LABEL: narrow_loop ({{.*}}) for sm_90
// CHECK: + MergeThreads at {{.*}}: a thread does the work of 4 along x, next to each other
// CHECK-LABEL: unsigned_loop ({{.*}}) for sm_90
// CHECK: + MergeThreads at {{.*}}: a thread does the work of 4 along x, next to each other
// CHECK-LABEL: triangle ({{.*}}) for sm_90
// CHECK: + RaiseControlFlow at {{.*}}: loop counted in steps of 1
//
// RUN: gpuopt check %s --target sm_90 --kernel product --size m=61,n=75,k=33
// RUN: gpuopt check %s --target gfx942 --kernel product --size m=1,n=1,k=1
// RUN: gpuopt check %s --target sm_90 --kernel inclusive --size n=67
// RUN: gpuopt check %s --target sm_90 --kernel down --size n=67
// RUN: gpuopt check %s --target sm_90 --kernel narrow_down --size n=67
// RUN: gpuopt check %s --target sm_90 --kernel at_end --size n=67
// RUN: gpuopt check %s --target sm_90 --kernel stencil --size n=37,m=133
// RUN: gpuopt check %s --target gfx942 --kernel narrow_stencil --size n=37,m=133
// RUN: gpuopt check %s --target sm_90 --kernel narrow_loop --size n=67
// RUN: gpuopt check %s --target gfx942 --kernel unsigned_loop --size n=67
// RUN: gpuopt check %s --target sm_90 --kernel triangle --size n=133
//
// RUN: gpuopt check %s --target sm_90 --kernel narrow_stencil --size n=2,m=0,a=9,b=9 --grid 1,1 --block 2,2 \
// RUN:   --allow-fallback 2>&1 | FileCheck %s --check-prefix=WRAPS
// WRAPS: not tuned for this launch

#include <stddef.h>

__global__ void product(const float *a, const float *b, float *c, size_t m, size_t n, size_t k) {
  size_t x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= m)
    return;
  float sum = 0;
  for (size_t i = 0; i < k; ++i)
    sum += a[y * k + i] * b[i * n + x];
  c[y * n + x] = sum;
}

__global__ void inclusive(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, unsigned n) {
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x <= n - 1 && y <= n - 1) {
    float sum = 0;
    for (unsigned i = 1; i <= n; ++i)
      sum += a[y * n + i - 1] * b[(i - 1) * n + x];
    c[y * n + x] = sum;
  }
}

__global__ void down(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, size_t n) {
  size_t x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < n && y < n) {
    float sum = 0;
    for (size_t i = n; i-- > 0;)
      sum += a[y * n + i] * b[i * n + x];
    c[y * n + x] = sum;
  }
}

__global__ void narrow_down(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, unsigned n) {
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < n && y < n) {
    float sum = 0;
    for (unsigned i = n; i > 0; --i)
      sum += a[y * n + i - 1] * b[(i - 1) * n + x];
    c[y * n + x] = sum;
  }
}

__global__ void at_end(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, size_t n) {
  size_t x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < n && y < n) {
    float sum = 0;
    size_t i = 0;
    do {
      sum += a[y * n + i] * b[i * n + x];
    } while (++i < n);
    c[y * n + x] = sum;
  }
}

__global__ void stencil(const float *a, float *b, size_t n, size_t m) {
  size_t x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && y > 0 && x < m - 1 && y < n - 1)
    b[y * m + x] = a[y * m + x] + a[(y - 1) * m + x] + a[(y + 1) * m + x] + a[y * m + x - 1] + a[y * m + x + 1];
}

__global__ void narrow_stencil(const float *a, float *b, unsigned n, unsigned m) {
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && y > 0 && x < m - 1 && y < n - 1)
    b[y * m + x] = a[y * m + x] + a[(y - 1) * m + x] + a[(y + 1) * m + x] + a[y * m + x - 1] + a[y * m + x + 1];
}

__global__ void narrow_loop(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, size_t n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < n && y < n) {
    float sum = 0;
    for (int i = 0; i < n; ++i)
      sum += a[y * n + i] * b[i * n + x];
    c[y * n + x] = sum;
  }
}

__global__ void unsigned_loop(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, long long n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < n && y < n) {
    float sum = 0;
    for (unsigned i = 0; i < n; ++i)
      sum += a[y * n + i] * b[i * n + x];
    c[y * n + x] = sum;
  }
}

__global__ void triangle(const float *a, float *sums, size_t n) {
  size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float sum = 0;
    for (size_t j = 0; j <= i; ++j)
      sum += a[i * n + j];
    sums[i] = sum;
  }
}
