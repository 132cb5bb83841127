// The strides of arrays that a kernel is given, as BLAS has them, are not negative, which the launcher makes sure of: the
// product is tiled and each thread computes several elements, without __restrict__.
// RUN: gpuopt check %s --target sm_90 --size m=67,n=35,k=41,lda=43,ldb=37,ldc=39,A=2881,B=1517,C=2613 | FileCheck %s
// CHECK: tuned 1x1x1 blocks of 16x16x1
// CHECK: C: 2613 elements, equal
// CHECK: passed
// RUN: not gpuopt check %s --target sm_90 --size m=1,n=35,k=1,lda=43,ldb=37,ldc=-1,A=2881,B=1517,C=2613 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// NEGATIVE: the original kernel, since the tuned one cannot cover the launch: it is for launches with ldc >= 0
__global__ void sgemm(int m, int n, int k, float alpha, const float *A, int lda, const float *B, int ldb, float beta, float *C, int ldc) {
  int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || col >= n)
    return;
  float sum = 0;
  for (int i = 0; i < k; ++i)
    sum += A[row * lda + i] * B[i * ldb + col];
  C[row * ldc + col] = alpha * sum + beta * C[row * ldc + col];
}
