// What is bound to a reference may be assigned by it: a sum that goes from one iteration to the next stays one.
//
// RUN: gpuopt check %s --size n=100 2>&1 | FileCheck %s
// CHECK: references.cpp:[[@LINE+10]]:9: warning: 's' goes from one iteration of this loop to the next; it is done in order, though declared parallel
// CHECK: sum_kernel: original launch 1x1x1 blocks
// CHECK: passed
// CHECK: copy_kernel: original launch
// CHECK: passed
static void add(int &s, int v) { s += v; }
void sum(int n, const int *a, int *o) {
  int s = 0;
#pragma acc parallel loop
  for (int i = 0; i < n; ++i)
    add(s, a[i]);
  o[0] = s;
}

void copy(int n, const int *a, int *o) {
#pragma acc parallel loop
  for (int i = 0; i < n; ++i) {
    int own = 0;
    add(own, a[i]);
    o[i] = own;
  }
}
