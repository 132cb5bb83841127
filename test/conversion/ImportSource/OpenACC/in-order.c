// Loops that are declared parallel, as `loop` in `parallel` does, but are not, or of which no launch can be made: they are
// done in order, with a warning, and what is parallel in them or around them stays so. Others are believed where nothing can
// be told.
//
// RUN: gpuopt compile %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=WARN --implicit-check-not=warning:
// RUN: gpuopt check %s --size n=37 --size m=45 2>&1 | FileCheck %s --implicit-check-not=FAILED
// CHECK: sums_kernel: original launch 1x1x1 blocks of 256x1x1
// CHECK: down_kernel: original launch 1x1x1 blocks of 256x1x1
// CHECK: skewed_kernel: original launch 1x1x1 blocks of 256x1x1
// CHECK: scalar_kernel: original launch 1x1x1 blocks of 256x1x1
// CHECK: outer_kernel: original launch 1x1x1 blocks of 256x1x1
// CHECK: left_kernel: original launch 1x1x1 blocks of 256x1x1
// CHECK: changed_kernel: original launch 1x1x1 blocks of 256x1x1
// CHECK: wraps_kernel: original launch 1x1x1 blocks of 256x1x1
// CHECK: loaded_kernel: original launch 1x1x1 blocks of 256x1x1
// CHECK: triangle_kernel: original launch {{.*}} blocks of 256x1x1
// CHECK: halves_kernel: original launch {{.*}} blocks of 256x1x1
// CHECK: colours_kernel: original launch {{.*}} blocks of 256x1x1

// All iterations of the inner loop write one element.
void sums(int n, int m, float a[n][m], float s[n]) {
#pragma acc parallel
#pragma acc loop
  for (int i = 0; i < n; ++i)
#pragma acc loop
    for (int j = 0; j < m; ++j)
      s[i] = s[i] + a[i][j];
  // WARN: in-order.c:[[#@LINE-1]]:7: warning: an iteration of this loop may write what another one accesses, at [[#@LINE-1]]:7; it is done in order
}

// Columns are independent, rows are not.
void down(int n, int m, float a[n][m]) {
#pragma acc parallel
#pragma acc loop
  for (int i = 1; i < n; ++i)
#pragma acc loop
    for (int j = 0; j < m; ++j)
      a[i][j] += a[i - 1][j];
  // WARN: in-order.c:[[#@LINE-1]]:7: warning: an iteration of this loop may write what another one accesses, at [[#@LINE-1]]:18; it is done in order
}

void skewed(int n, int m, float a[n][m]) {
#pragma acc parallel
#pragma acc loop collapse(2)
  for (int i = 1; i < n; ++i)
    for (int j = 0; j < m - 1; ++j)
      a[i][j] = a[i - 1][j + 1];
  // WARN: in-order.c:[[#@LINE-1]]:7: warning: an iteration of this loop may write what another one accesses, at [[#@LINE-1]]:17; it is done in order
}

// Some compilers take it for a reduction where it is one.
void scalar(int n, float a[n], float *out) {
  float s = 0;
#pragma acc kernels loop independent
  for (int i = 0; i < n; ++i) {
    s = s * 0.5f + a[i];
    // WARN: in-order.c:[[#@LINE-1]]:5: warning: 's' goes from one iteration of this loop to the next; it is done in order
    a[i] = s;
  }
  *out = s;
}

// The reduction is of the construct.
void outer(int n, int a[n], int *out) {
  int sum = 0;
#pragma acc parallel reduction(+ : sum)
#pragma acc loop
  for (int i = 1; i < n; ++i)
    sum += a[i];
  *out = sum;
}

void left(int n, int a[n], int b[n]) {
#pragma acc parallel
#pragma acc loop
  for (int i = 0; i < n; ++i) {
    if (b[i] == 100)
      break;
    // WARN: in-order.c:[[#@LINE-1]]:7: warning: a parallel loop cannot be left early; it is done in order
    a[i] = i;
  }
}

void changed(int n, int a[n]) {
#pragma acc parallel loop
  for (int i = 0; i < n; ++i) {
    a[i] = i;
    i++;
    // WARN: in-order.c:[[#@LINE-1]]:5: warning: the variable of a parallel loop cannot be changed in it; it is done in order
  }
}

// There are iterations beyond any launch for n = 0.
void wraps(unsigned n, int a[n]) {
#pragma acc parallel loop
  for (unsigned i = 0; i <= n - 1; ++i)
    a[i] = i;
  // WARN: in-order.c:[[#@LINE-2]]:{{[0-9]+}}: warning: the number of iterations of this loop is no expression of constants and integer variables that it does not change; it is done in order
}

void loaded(int n, int a[n], int b[1]) {
#pragma acc parallel loop
  for (int i = 0; i < (b[0] & 7); ++i)
    a[i] = i;
  // WARN: in-order.c:[[#@LINE-2]]:{{[0-9]+}}: warning: the number of iterations of this loop is no expression of constants
}

// Above the diagonal, and below it.
void triangle(int n, float a[n][n]) {
#pragma acc parallel
#pragma acc loop
  for (int i = 0; i < n; ++i)
#pragma acc loop
    for (int j = i + 1; j < n; ++j)
      a[j][i] = a[i][j];
}

void halves(int n, float a[2 * n]) {
#pragma acc parallel
#pragma acc loop
  for (int i = 0; i < n; ++i)
    a[i] = a[i + n];
}

void colours(int n, float a[n + 1]) {
#pragma acc parallel
#pragma acc loop
  for (int i = 1; i < n; i += 2)
    a[i] = a[i - 1] + a[i + 1];
}
