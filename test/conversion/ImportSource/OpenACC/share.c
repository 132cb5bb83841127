// '#pragma acc share' reaches the kernel; all that reads it are estimates, so
// that the results are the sequential program's with either plan.
//
// RUN: gpuopt compile %s --emit mlir --no-opt -o - | FileCheck %s --check-prefix=HINTS
// HINTS: gpuopt.share = ["A[TBY][*]:coalesce", "B[*][TBX]"]
// RUN: gpuopt check %s --plan share --size n=37 | FileCheck %s
// RUN: gpuopt check %s --size n=70 | FileCheck %s
// CHECK: gemm_kernel
// CHECK: passed
// CHECK: inner_kernel
// CHECK: passed
// CHECK: twice_kernel1
// CHECK: passed
// CHECK: twice_kernel2
// CHECK: passed

void gemm(int n, float A[restrict n][n], float B[restrict n][n],
          float C[restrict n][n]) {
#pragma acc share(A[TBY][*] : coalesce, \
                  B[*][TBX])
#pragma acc kernels loop independent
  for (int i = 0; i < n; ++i) {
#pragma acc loop independent
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int k = 0; k < n; ++k)
        sum += A[i][k] * B[k][j];
      C[i][j] = sum;
    }
  }
}

// In comments, and in code that is left out, it says nothing.
/*
#pragma acc share(nothing)
*/
#if 0
#pragma acc share(nothing)
#endif

// Between the loops of a kernel it belongs to that.
// HINTS: @inner_kernel
// HINTS-SAME: gpuopt.share = ["a[TBY][TBX]"]
void inner(int n, float a[restrict n][n], float b[restrict n][n]) {
#pragma acc share(a[TBX][TBX])
#pragma acc parallel loop
  for (int i = 0; i < n; ++i) {
#pragma acc share(a[TBY][TBX])
#pragma acc loop
    for (int j = 0; j < n; ++j)
      b[i][j] = a[j][i];
  }
}

// Within a construct it belongs to the next loop only.
// HINTS: @twice_kernel1
// HINTS-NOT: gpuopt.share
// HINTS: @twice_kernel2
// HINTS-SAME: gpuopt.share = ["a[TBX + 2]"]
void twice(int n, float a[restrict n + 2], float b[restrict n]) {
#pragma acc parallel
  {
#pragma acc loop
    for (int i = 0; i < n; ++i)
      a[i] = 2 * a[i];
#pragma acc share(a[TBX + 2])
#pragma acc loop
    for (int i = 0; i < n; ++i)
      b[i] = a[i] + a[i + 1] + a[i + 2];
  }
}
