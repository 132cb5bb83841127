// Constructs that cannot be taken are left out beside others, with a warning; alone, or with --strict, they are an error.
//
// RUN: gpuopt compile %s -o %t.ptx 2>&1 | FileCheck %s --implicit-check-not=error
// RUN: FileCheck %s --check-prefix=PTX --input-file %t.ptx
// RUN: not gpuopt check %s --size n=37 | FileCheck %s --check-prefix=EXECUTED
// RUN: not gpuopt compile %s --strict 2>&1 | FileCheck %s --check-prefix=STRICT

// PTX: .entry scale_kernel(
// PTX: .entry sums_kernel2(
// PTX-NOT: sums_kernel1
// EXECUTED: scale_kernel: original launch
// EXECUTED: passed

// STRICT: left-out.c:[[@LINE+8]]:5: error: only loops, expressions and conditions are supported in a compute construct
// STRICT-NOT: 'rows'
void scale(int n, float *a) {
#pragma acc parallel loop
  for (int i = 0; i < n; ++i)
    a[i] *= 3;
#pragma acc parallel
  {
    int first = a[0]; // CHECK: :[[@LINE]]:5: warning: a kernel of 'scale' is left out: only loops
#pragma acc loop
    for (int i = 1; i < n; ++i)
      a[i] += first;
  }
}

void sums(int n, int m, float **rows, float *sum) {
#pragma acc parallel
  {
#pragma acc loop
    for (int i = 0; i < n; ++i)
      sum[i] = rows[i][0]; // CHECK: :[[@LINE]]:16: warning: a kernel of 'sums' is left out: 'rows' is an array of pointers
#pragma acc loop
    for (int i = 0; i < n; ++i)
      sum[i] += 1;
  }
}
