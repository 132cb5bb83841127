// What a program cannot have. Each is an error at its place.
// RUN: split-file %s %t
// RUN: not gpuopt cc -fopenacc -c %t/early.c -o %t/o 2>&1 | FileCheck %t/early.c
// RUN: not gpuopt cc -fopenacc -c %t/rows.c -o %t/o 2>&1 | FileCheck %t/rows.c
// RUN: not gpuopt cc -fopenacc -c %t/in-header.c -o %t/o 2>&1 | FileCheck %t/in-header.c
// RUN: not gpuopt cc -fopenacc -c %t/copies.c -o %t/o 2>&1 | FileCheck %t/copies.c
// RUN: not gpuopt cc -fopenacc -c %t/template.cpp -o %t/o 2>&1 | FileCheck %t/template.cpp
// RUN: not test -e %t/o

//--- early.c
int f(int n, int *a) {
#pragma acc data copy(a[0:n])
  {
// CHECK: early.c:[[#@LINE+1]]:12: error: a region with data clauses cannot be left early
    if (n) return 1;
  }
  return 0;
}
//--- rows.c
void f(int n, int **a) {
// CHECK: rows.c:[[#@LINE+1]]:{{[0-9]+}}: error: what rows of pointers point to is not one piece of memory
#pragma acc data copy(a[0:n][0:n])
  { }
}
//--- in-header.h
static void f(int n, int *a) {
// CHECK: in-header.h:[[#@LINE+2]]:3: error: a program's kernels and data directives must be in its source files, not in headers
#pragma acc parallel loop copy(a[0:n])
  for (int i = 0; i < n; i++)
    a[i] = i;
}
//--- in-header.c
// CHECK: in-header.h:4:3: error: a program's kernels and data directives must be in its source files, not in headers
#include "in-header.h"
void g(int n, int *a) { f(n, a); }
//--- copies.c
void f(int n, double *a, double *c) {
// CHECK: copies.c:[[#@LINE+1]]:{{[0-9]+}}: error: copies of what 'c' is for each iteration are not supported; declare an array in the loop
#pragma acc parallel loop copy(a[0:n]) private(c[0:4])
  for (int i = 0; i < n; i++) {
    c[0] = i;
    a[i] = c[0];
  }
}
//--- template.cpp
template <class T> void f(int n, T *a) {
#pragma acc parallel loop copy(a[0:n])
// CHECK: template.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: kernels in templates are not supported in a program
  for (int i = 0; i < n; i++)
    a[i] = i;
}
void g(int n, float *a) { f(n, a); }
