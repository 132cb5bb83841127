// Loops that are declared parallel, at sizes that no block divides: tuned
// kernels do what the sequential program does.
//
// RUN: gpuopt check %s --size n=37 --size m=45 | FileCheck %s
// CHECK: add_kernel: original launch
// CHECK: passed
// CHECK: collapsed_kernel
// CHECK: passed
// CHECK: bytes_kernel
// CHECK: passed
// CHECK: down_kernel
// CHECK: passed
// CHECK: strided_kernel
// CHECK: passed
// CHECK: privately_kernel
// CHECK: passed
// CHECK: assigned_kernel
// CHECK: passed
// CHECK: inner_kernel: original launch 1x1x1 blocks of 256x1x1; tuned {{[0-9]+}}x1x1
// CHECK: passed
// CHECK: total_kernel
// CHECK: passed
// CHECK: norm_kernel
// CHECK: results may be rounded in another way: the clause 'reduction', by which DistributeReductions has reordered sums
// CHECK: passed
// CHECK: twice_kernel1
// CHECK: passed
// CHECK: twice_kernel2
// CHECK: passed
// CHECK: beside_kernel1
// CHECK: passed
// CHECK: beside_kernel2
// CHECK: passed
// CHECK: chosen_kernel1
// CHECK: passed
// CHECK: chosen_kernel2
// CHECK: passed

#include <openacc.h>

// Undeclared, as before C99, in code of the host.
void host(void) { acc_init(acc_device_default); clear_caches(); }

void add(int n, float a[n], float b[n]) {
#pragma acc parallel loop copyin(a[0 : n]) copy(b[0 : n])
  for (int i = 0; i < n; ++i)
    b[i] = a[i] + b[i];
}

void collapsed(int n, int m, float a[n][m], float b[n][m]) {
  int i, j;
#pragma acc parallel loop collapse(2)
  for (i = 1; i < n - 1; i++)
    for (j = 1; j < m - 1; j++)
      b[i][j] = a[i - 1][j] + a[i][j - 1] + a[i + 1][j] + a[i][j + 1];
}

// The variable wraps before the last work item's would.
void bytes(int a[255]) {
#pragma acc parallel loop
  for (unsigned char i = 3; i < 255; ++i)
    a[i] += 1;
}

void down(int n, int a[n + 1]) {
#pragma acc parallel loop
  for (int i = n; i > 0; i--)
    a[i] += i;
}

void strided(int n, int a[n]) {
#pragma acc parallel loop
  for (int i = 1; i < n; i += 3)
    a[i] += 5;
}

void privately(int n, int a[n]) {
  int t;
#pragma acc parallel loop private(t)
  for (int i = 0; i < n; ++i) {
    t = a[i] * 3;
    if (t & 1)
      continue;
    a[i] = t + 1;
  }
}

// Each iteration has its own.
void assigned(int n, int m, float a[n][m], float b[n]) {
  float sum;
  int j;
#pragma acc parallel loop
  for (int i = 0; i < n; ++i) {
    sum = 0;
    for (j = 0; j < m; ++j)
      sum += a[i][j];
    b[i] = sum;
  }
}

// The variable of the inner reduction is each iteration's own, and may be used again.
void inner(int n, int m, float a[n][m], float b[n]) {
  float t;
  int i, k;
#pragma acc kernels
#pragma acc loop independent
  for (i = 0; i < n; ++i) {
    t = 0;
#pragma acc loop reduction(+ : t)
    for (k = 0; k < m; ++k)
      t += a[i][k];
    b[i] = t;
    for (k = 0; k < 2; ++k) {
      t = a[i][k];
      b[i] += t;
    }
    t = b[i];
    b[i] = t + 1;
  }
}

// One work item computes what is a reduction.
void total(int n, int a[n], int *sum) {
  int s = 0;
#pragma acc parallel loop reduction(+ : s)
  for (int i = 0; i < n; ++i)
    s += a[i];
  *sum = s;
}

void norm(int n, float a[n], float *out) {
  float s = 0;
#pragma acc parallel loop reduction(+ : s)
  for (int i = 0; i < n; ++i)
    s += a[i] * a[i];
  *out = s;
}

void twice(int n, int m, float a[n][m], float b[m]) {
#pragma acc kernels
  {
#pragma acc loop independent
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < m; ++j)
        a[i][j] += b[j];
#pragma acc loop seq
    for (int i = 1; i < m; ++i)
      b[i] += b[i - 1];
  }
}

void beside(int n, int a[n], int b[n]) {
  int first;
#pragma acc parallel
  {
    first = b[0];
#pragma acc loop
    for (int i = 1; i < n; ++i)
      a[i] = first;
  }
}

// The host decides, and has the variables that are declared beside loops.
void chosen(int n, int a[n], int b[n]) {
#pragma acc kernels
  {
    int i, last = 7;
    if (n > 5) {
#pragma acc loop independent
      for (i = 0; i < n; ++i)
        a[i] += last;
    } else
#pragma acc loop independent
      for (i = 0; i < n; ++i)
        b[i] += last;
  }
}
