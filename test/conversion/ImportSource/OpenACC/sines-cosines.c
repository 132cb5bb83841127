// A sine and a cosine at once are both, one by one, on a device.
//
// RUN: gpuopt compile %s --no-opt --emit cuda -o - | FileCheck %s
// RUN: gpuopt check %s --size n=100 | FileCheck %s --check-prefix=EXECUTED
// CHECK-DAG: sinf(
// CHECK-DAG: cosf(
// EXECUTED: passed
#define _GNU_SOURCE
#include <math.h>

void both(int n, const float *a, float *o) {
#pragma acc parallel loop
  for (int i = 0; i < n; ++i) {
    float s, c;
    sincosf(a[i], &s, &c);
    o[i] = s + 2 * c;
  }
}
