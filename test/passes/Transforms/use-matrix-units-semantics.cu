// Products that matrix units do come out as the source's: at sizes that fill
// tiles, at those that do not, and smaller than one tile.
//
// RUN: gpuopt compile %s --target sm_80 --reassociate --explain -o /dev/null 2>&1 | FileCheck %s
//
// RUN: gpuopt check %s --target sm_80 --reassociate --size m=128,n=128,k=16,batches=1 --inputs ordinary
// RUN: gpuopt check %s --target sm_90 --reassociate --size m=70,n=33,k=37,batches=2
// RUN: gpuopt check %s --target sm_80 --reassociate --size m=7,n=136,k=5,batches=1
//
// Targets that have no units do without, and so does source.
// RUN: gpuopt compile %s --target sm_75 --reassociate --explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=WITHOUT
// RUN: gpuopt compile %s --kernel flat --target sm_80 --reassociate --emit cuda --explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=SOURCE
// WITHOUT-NOT: matrix units
// WITHOUT-NOT: UseMatrixUnits
// SOURCE: groups of 8 neighbours
// SOURCE: - UseMatrixUnits at {{.*}}: source has no form of matrix instructions

#include <cuda_bf16.h>
#include <cuda_fp16.h>

// The first matrix lies the other way; unsigned indices, `while`.
// CHECK-LABEL: transposed (
// CHECK: UseMatrixUnits at {{.*}}: subgroups multiply tiles: 16 x 8 sums of 16 products of f16 by one instruction
#pragma gpuopt domain(n, m) array(a: k, m) array(b: k, n) array(c: m, n) output(c)
__global__ void transposed(const __half *__restrict__ a, const __half *__restrict__ b, float *__restrict__ c, unsigned m,
                           unsigned n, unsigned k) {
  unsigned col = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || col >= n)
    return;
  float sum = 0.0f;
  unsigned i = 0;
  while (i < k) {
    sum += __half2float(a[i * m + row]) * __half2float(b[i * n + col]);
    ++i;
  }
  c[row * n + col] = sum;
}

// Rows along x, and both matrices with their rows along the sum.
// CHECK-LABEL: rows_first (
// CHECK: UseMatrixUnits at {{.*}}: subgroups multiply tiles: 16 x 8 sums of 16 products of bf16 by one instruction
#pragma gpuopt domain(m, n) array(a: m, k) array(b: n, k) array(c: m, n) output(c)
__global__ void rows_first(const __nv_bfloat16 *__restrict__ a, const __nv_bfloat16 *__restrict__ b,
                           __nv_bfloat16 *__restrict__ c, int m, int n, int k) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  int col = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < m && col < n) {
    float sum = 0.0f;
    for (int i = 0; i < k; ++i)
      sum += __bfloat162float(a[row * k + i]) * __bfloat162float(b[col * k + i]);
    c[row * n + col] = __float2bfloat16(sum);
  }
}

// A flat id, split by a division.
// CHECK-LABEL: flat (
// CHECK: UseMatrixUnits at {{.*}}: subgroups multiply tiles: 16 x 8 sums of 16 products of f16 by one instruction
#pragma gpuopt domain(m * n) array(a: m, k) array(b: k, n) array(c: m, n) output(c)
__global__ void flat(const __half *__restrict__ a, const __half *__restrict__ b, __half *__restrict__ c, int m, int n,
                     int k) {
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id < m * n) {
    int row = id / n, col = id % n;
    float sum = 0.0f;
    for (int i = 0; i < k; ++i)
      sum += __half2float(a[row * k + i]) * __half2float(b[i * n + col]);
    c[id] = __float2half(sum);
  }
}

// Batches along z, a start value, scales, an activation.
// CHECK-LABEL: batched (
// CHECK: UseMatrixUnits at {{.*}}: subgroups multiply tiles: 16 x 8 sums of 16 products of f16 by one instruction
#pragma gpuopt domain(n, m, batches) array(a: batches, m, k) array(b: batches, k, n) array(bias: n) \
    array(c: batches, m, n) output(c)
__global__ void batched(const __half *__restrict__ a, const __half *__restrict__ b, const float *__restrict__ bias,
                        float *__restrict__ c, float alpha, int batches, int m, int n, int k) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int batch = blockIdx.z;
  if (row >= m || col >= n)
    return;
  float sum = bias[col];
  for (int i = 0; i < k; ++i)
    sum += __half2float(a[(batch * m + row) * k + i]) * __half2float(b[(batch * k + i) * n + col]);
  c[(batch * m + row) * n + col] = fmaxf(alpha * sum, 0.0f) + c[(batch * m + row) * n + col];
}

// Sums of bytes need no permission, and wrap around.
// RUN: gpuopt compile %s --kernel bytes --target sm_80 -o - | FileCheck %s --check-prefix=PTX
// PTX: mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32
//
// CHECK-LABEL: bytes (
// CHECK: UseMatrixUnits at {{.*}}: subgroups multiply tiles: 16 x 8 sums of {{16|32}} products of i8 by one instruction
#pragma gpuopt domain(n, m) array(a: m, k) array(b: k, n) array(c: m, n) output(c)
__global__ void bytes(const signed char *__restrict__ a, const signed char *__restrict__ b, int *__restrict__ c, int m,
                      int n, int k) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < m && col < n) {
    int sum = 7;
    for (int i = 0; i < k; ++i)
      sum += a[row * k + i] * b[i * n + col];
    c[row * n + col] = sum;
  }
}

// CHECK-LABEL: doubles (
// CHECK: UseMatrixUnits at {{.*}}: subgroups multiply tiles: 8 x 8 sums of 4 products of f64 by one instruction
#pragma gpuopt domain(n, m) array(a: m, k) array(b: k, n) array(c: m, n) output(c)
__global__ void doubles(const double *__restrict__ a, const double *__restrict__ b, double *__restrict__ c, double beta,
                        int m, int n, int k) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < m && col < n) {
    double sum = 0.0;
    for (int i = 0; i < k; ++i)
      sum += a[row * k + i] * b[i * n + col];
    c[row * n + col] = sum + beta * c[row * n + col];
  }
}

// Products that the source adds by `fmaf`.
// CHECK-LABEL: fused (
// CHECK: UseMatrixUnits at {{.*}}: subgroups multiply tiles: 16 x 8 sums of 16 products of f16 by one instruction
#pragma gpuopt domain(n, m) array(a: m, k) array(b: k, n) array(c: m, n) output(c)
__global__ void fused(const __half *__restrict__ a, const __half *__restrict__ b, float *__restrict__ c, int m, int n,
                      int k) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < m && col < n) {
    float sum = 0.0f;
    for (int i = 0; i < k; ++i)
      sum = fmaf(__half2float(a[row * k + i]), __half2float(b[i * n + col]), sum);
    c[row * n + col] = sum;
  }
}
