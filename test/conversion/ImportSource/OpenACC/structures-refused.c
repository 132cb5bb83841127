// A structure that a kernel would have to change, or to search, is no parameter.
//
// RUN: split-file %s %t
// RUN: not gpuopt compile %t/changed.c 2>&1 | FileCheck %s --check-prefix=CHANGED
// RUN: not gpuopt compile %t/array.c 2>&1 | FileCheck %s --check-prefix=ARRAY
// RUN: not gpuopt compile %t/pointers.c 2>&1 | FileCheck %s --check-prefix=POINTERS

//--- changed.c
struct pair { int n; float a; };
void f(int n, float *o, struct pair p) {
#pragma acc parallel loop
  for (int i = 0; i < n; ++i) {
    o[i] = p.a;
    p.n = i;
  }
}
// CHANGED: changed.c:5:12: error: the structure 'p' cannot be used in a compute construct: only numbers and pointers in it can be read

//--- array.c
struct weights { float w[9]; };
void f(int n, float *o, struct weights p) {
#pragma acc parallel loop
  for (int i = 0; i < n; ++i)
    o[i] = p.w[i % 9];
}
// ARRAY: array.c:5:12: error: the structure 'p' cannot be used in a compute construct: only numbers and pointers in it can be read

//--- pointers.c
struct rows { float **row; };
void f(int n, float *o, struct rows p) {
#pragma acc parallel loop
  for (int i = 0; i < n; ++i)
    o[i] = p.row[i][0];
}
// POINTERS: pointers.c:5:12: error: the structure 'p' cannot be used in a compute construct: its member 'row' is no array that a kernel can have
