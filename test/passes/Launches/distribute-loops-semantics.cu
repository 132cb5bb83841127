// A work item for each row becomes one for each element where no iteration depends on another one, and the results are
// the same: at the least width that the tuned kernel takes, at one that no block divides, and below, where the original
// runs.
//
// RUN: gpuopt compile %s --target sm_90 --explain -o /dev/null 2>&1 | FileCheck %s
// CHECK-LABEL: scale ({{.*}}) for sm_90
// CHECK: + DistributeLoops at {{.*}}: iterations of 1 nested loops are work items, along x
// CHECK-LABEL: product ({{.*}}) for sm_90
// CHECK: + DistributeLoops at {{.*}}: iterations of 1 nested loops are work items, along x
// CHECK: + MergeThreads
// CHECK: = main loop: 280 instructions, 256 of them multiply-adds
// CHECK-LABEL: images ({{.*}}) for sm_90
// CHECK: + DistributeLoops at {{.*}}: iterations of 2 nested loops are work items, along z, x
// CHECK-LABEL: triangle ({{.*}}) for sm_90
// CHECK: + DistributeLoops at {{.*}}: iterations of 1 nested loops are work items, along x
// CHECK-LABEL: behind ({{.*}}) for sm_90
// CHECK: + DistributeLoops at {{.*}}: iterations of 1 nested loops are work items, along x
// CHECK-LABEL: steps ({{.*}}) for sm_90
// CHECK: - DistributeLoops at {{.*}}: no more accesses would be coalesced
// CHECK-LABEL: once ({{.*}}) for sm_90
// CHECK: + DistributeLoops at {{.*}}: iterations of 2 nested loops are work items, along y, x
// CHECK-LABEL: scan ({{.*}}) for sm_90
// CHECK-NOT: + DistributeLoops
// CHECK: - DistributeLoops at {{.*}}: an iteration may write what another one of the same thread accesses
// CHECK-LABEL: columns ({{.*}}) for sm_90
// CHECK-NOT: DistributeLoops
//
// RUN: gpuopt check %s --target sm_90 --size m=5,n=33,k=3,c=2
// RUN: gpuopt check %s --target sm_90 --size m=37,n=133,k=9,c=3
// RUN: gpuopt check %s --target gfx942 --size m=33,n=67,k=40,c=1
// RUN: gpuopt check %s --target sm_90 --size m=3,n=1,k=1,c=1 --allow-fallback
// RUN: gpuopt check %s --target sm_90 --size m=3,n=16,k=1 --kernel product

__global__ void scale(const float *a, float *b, float s, int m, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m)
    return;
  for (int j = 0; j < n; ++j)
    b[row * n + j] = s * a[row * n + j];
}

__global__ void product(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ out, int m,
                        int n, int k) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < m)
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int i = 0; i < k; ++i)
        sum += a[row * k + i] * b[i * n + j];
      out[row * n + j] = sum;
    }
}

__global__ void images(const float *__restrict__ a, float *__restrict__ b, int c, int m, int n) {
  int image = blockIdx.x * blockDim.x + threadIdx.x;
  if (image >= c)
    return;
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j)
      b[(image * m + i) * n + j] = 1 - a[(image * m + i) * n + j];
}

__global__ void triangle(float *a, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < n)
    for (int j = 0; j <= row; ++j)
      a[row * n + j] += 1;
}

__global__ void behind(float *a, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < n)
    for (int j = row + 1; j < n; ++j)
      a[row * n + j] *= 3;
}

__global__ void steps(float *a, float *b, int m, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < m)
    for (int j = 1; j < n; j += 2)
      a[row * n + j] = b[row * n + j - 1];
}

#pragma gpuopt domain(1)
__global__ void once(float *a, int m, int n) {
  if (blockIdx.x * blockDim.x + threadIdx.x < 1)
    for (int i = 0; i < m; ++i)
      for (int j = 1; j < n; j += 3)
        a[i * n + j] += i;
}

__global__ void scan(float *a, int m, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < m)
    for (int j = 1; j < n; ++j)
      a[row * n + j] += a[row * n + j - 1];
}

__global__ void columns(float *a, int m, int n) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column < n)
    for (int i = 0; i < m; ++i)
      a[i * n + column] += 1;
}
