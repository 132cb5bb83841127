// What a program cannot have. Each is an error at its place.
// RUN: split-file %s %t
// RUN: not gpuopt cc -fopenacc -c %t/early.c -o %t/o 2>&1 | FileCheck %t/early.c
// RUN: not gpuopt cc -fopenacc -c %t/rows.c -o %t/o 2>&1 | FileCheck %t/rows.c
// RUN: not gpuopt cc -fopenacc -c %t/columns.c -o %t/o 2>&1 | FileCheck %t/columns.c
// RUN: not gpuopt cc -fopenacc -c %t/macro.c -o %t/o 2>&1 | FileCheck %t/macro.c
// RUN: not gpuopt cc -fopenacc -c %t/modifier.c -o %t/o 2>&1 | FileCheck %t/modifier.c
// RUN: not gpuopt cc -fopenacc -c %t/clause.c -o %t/o 2>&1 | FileCheck %t/clause.c
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
// CHECK: rows.c:[[#@LINE+1]]:{{[0-9]+}}: error: sections that are not one piece of memory are not supported
#pragma acc data copy(a[0:n][0:n])
  { }
}
//--- columns.c
double a[8][8];
void f(int n) {
// CHECK: columns.c:[[#@LINE+1]]:{{[0-9]+}}: error: sections that are not one piece of memory are not supported
#pragma acc update device(a[0:n][2:3])
}
//--- macro.c
#define INIT(a, n) _Pragma("acc parallel loop") for (int i = 0; i < n; i++) a[i] = 7; count++
int f(int n, int a[n], int count) {
// CHECK: macro.c:[[#@LINE+1]]:3: error: what a directive stands in front of must not be a part of a macro
  INIT(a, n);
  return count;
}
//--- modifier.c
void f(int n, int *a) {
// CHECK: modifier.c:[[#@LINE+1]]:{{[0-9]+}}: error: this clause's modifier is not supported in a program
#pragma acc data copyin(always: a[0:n])
  { }
}
//--- clause.c
void f(int n, int *a) {
  int s = 1;
#pragma acc parallel copy(s, a[0:n])
  {
// CHECK: clause.c:[[#@LINE+1]]:9: error: what loops and conditions around parallel loops depend on must be plain variables
    if (s > 0)
#pragma acc loop
      for (int i = 0; i < n; i++)
        a[i] = 0;
  }
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
// CHECK: template.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: directives in templates are not supported in a program
#pragma acc parallel loop copy(a[0:n])
  for (int i = 0; i < n; i++)
    a[i] = i;
}
void g(int n, float *a) { f(n, a); }
