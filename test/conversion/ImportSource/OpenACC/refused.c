// What kernels would not do as the sequential program does is refused.
//
// RUN: split-file %s %t
// RUN: not gpuopt compile %t/condition.c 2>&1 | FileCheck %s --check-prefix=CONDITION
// RUN: not gpuopt compile %t/element.c 2>&1 | FileCheck %s --check-prefix=ELEMENT
// RUN: not gpuopt compile %t/atomic.c 2>&1 | FileCheck %s --check-prefix=ATOMIC
// RUN: not gpuopt compile %t/atomic-function.c 2>&1 | FileCheck %s --check-prefix=FUNCTION
// RUN: not gpuopt compile %t/global.c 2>&1 | FileCheck %s --check-prefix=GLOBAL
// RUN: not gpuopt compile %t/critical.c 2>&1 | FileCheck %s --check-prefix=CRITICAL
// RUN: not gpuopt compile %t/none.c 2>&1 | FileCheck %s --check-prefix=NONE

//--- condition.c
void f(int n, int *a) {
#pragma acc parallel
  {
    if (a[0] > 5)
#pragma acc loop
      for (int i = 1; i < n; ++i)
        a[i] = 2;
  }
}
// CONDITION: condition.c:4:9: error: what loops and conditions around parallel loops depend on must be plain variables

//--- element.c
void f(int n, int m, float a[n][m]) {
#pragma acc kernels
#pragma acc loop independent
  for (int i = 1; i < n; ++i)
    for (int j = 0; j < m; ++j)
      a[i][j] = a[i - 1][j];
}
// ELEMENT: element.c:6:7: error: an iteration of this loop may write what another one accesses
// ELEMENT: element.c:6:17: note: the other access is here

//--- atomic.c
void f(int n, char *a) {
#pragma acc parallel loop
  for (int i = 1; i < n; ++i) {
#pragma acc atomic
    a[0] += 2;
  }
}
// ATOMIC: atomic.c:4:1: error: this is not supported in a compute construct

//--- atomic-function.c
void add(int *a) {
#pragma acc atomic
    a[0] += 2;
}
void f(int n, int *a) {
#pragma acc parallel loop
  for (int i = 1; i < n; ++i)
    add(a);
}
// FUNCTION: atomic-function.c:2:1: error: this is not supported in a function that a kernel calls

//--- global.c
int count;
int next(int i) { return i + count++; }
void f(int n, int *a) {
#pragma acc parallel loop
  for (int i = 1; i < n; ++i)
    a[i] = next(i);
}
// GLOBAL: global.c:2:30: error: a function that a kernel calls cannot use variables outside of it

//--- critical.c
void f(int n, int *a) {
#pragma omp parallel for \
    schedule(static)
  for (int i = 0; i < n; ++i) {
    # pragma   omp critical (sum)
    a[0] += i;
  }
}
// CRITICAL: critical.c:5:20: error: OpenMP's 'critical' is not supported

//--- none.c
void f(int n, int *a) {}
// NONE: none.c: error: no parallel construct of OpenACC or OpenMP found in this file
