// OpenMP's directives in headers are read as those of the file, and refused at their place.
//
// RUN: split-file %s %t
// RUN: gpuopt check %t/good.c --size n=37 | FileCheck %s --check-prefix=GOOD
// RUN: not gpuopt compile %t/bad.c 2>&1 | FileCheck %s --check-prefix=BAD

//--- kernels.h
static void scale(int n, float *a) {
#pragma omp target teams distribute parallel for map(tofrom : a[0 : n]) thread_limit(256)
  for (int i = 0; i < n; ++i)
    a[i] *= 3;
}

//--- good.c
#include "kernels.h"
void f(int n, float *a) { scale(n, a); }
// GOOD: scale_kernel: original launch 1x1x1 blocks of 256x1x1
// GOOD: passed

//--- critical.h
static void sum(int n, const float *a, float *s) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
#pragma omp critical
    *s += a[i];
  }
}

//--- bad.c
#include "critical.h"
// BAD: critical.h:4:13: error: OpenMP's 'critical' is not supported
// BAD-NOT: error
