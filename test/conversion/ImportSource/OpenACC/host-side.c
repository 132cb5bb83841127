// RUN: gpuopt-translate --openacc-to-host %s | grep -v '// CHECK' | FileCheck %s

// The host's side of a program: launches in the place of kernels, calls in the place of data directives, each on its line.
// CHECK: #include <stdio.h>
#include <stdio.h>

static const float weights[3] = {1, 2, 1};

// Operands of a region are evaluated once: `n` may change in it. What one clause copies another one only wants to be there.
// CHECK: #pragma acc data copyout(b[1:n - 2]) copy(a[0:n])
// CHECK-NEXT: { struct gpuopt_acc_range gpuopt_ranges[2];
// CHECK-SAME: gpuopt_acc_enter(gpuopt_acc_copyin, &gpuopt_ranges[1], &a[0], {{.*}}, a);
// CHECK-SAME: gpuopt_acc_enter(gpuopt_acc_create, &gpuopt_ranges[0], &b[1], (long long)((char *)(&b[1 + (long long)(n - 2) - 1] + 1) - (char *)&b[1]), b); {
// CHECK-NEXT: for (int t = 0; t < steps; t++) {
// CHECK-NEXT: #pragma acc parallel loop
// CHECK-NEXT: { static char gpuopt_key; long long gpuopt_items[] = {((long long)n - 1) - 1};
// CHECK-SAME: struct gpuopt_acc_argument gpuopt_arguments[] =
// CHECK-SAME: {gpuopt_acc_input, "weights", (void *)weights, (long long)(sizeof(weights))}
// CHECK-SAME: {gpuopt_acc_value, "n", (void *)&n, (long long)(sizeof(n))}
// CHECK-SAME: {gpuopt_acc_memory, "a", (void *)a, (long long)(4 * ((long long)n))}
// CHECK-SAME: gpuopt_acc_launch(&gpuopt_acc_this_file, &gpuopt_key, "smooth_kernel", gpuopt_items, 1, gpuopt_arguments, 4); }
// CHECK-EMPTY:
// CHECK-NEXT: { gpuopt_acc_update(gpuopt_acc_update_host, &b[1], {{.*}}); }
// CHECK-NEXT: printf("%g\n", b[1]);
// CHECK: } gpuopt_acc_leave(gpuopt_acc_copyout, &gpuopt_ranges[0]); gpuopt_acc_leave(gpuopt_acc_copyout, &gpuopt_ranges[1]); }
void smooth(int n, int steps, float *a, float *b) {
#pragma acc data copyout(b[1:n - 2]) copy(a[0:n])
  {
    for (int t = 0; t < steps; t++) {
#pragma acc parallel loop
      for (int i = 1; i < n - 1; i++)
        b[i] = weights[0] * a[i - 1] + weights[1] * a[i] + weights[2] * a[i + 1];
#pragma acc update self(b[1:1])
      printf("%g\n", b[1]);
    }
  }
}

// Two loops are two dimensions, the inner one along x. Declared extents say how much memory it is.
// CHECK-LABEL: void scale(
// CHECK: gpuopt_items[] = {(long long)m, (long long)n};
// CHECK-SAME: "a", (void *)a, (long long)(8 * ((long long)n) * ((long long)m))}
void scale(int n, int m, double a[n][m], double f) {
#pragma acc kernels
  {
#pragma acc loop independent
    for (int i = 0; i < n; i++)
#pragma acc loop independent
      for (int j = 0; j < m; j++)
        a[i][j] *= f;
  }
}

// A kernel under a condition is the host's where it does not hold; the lines behind keep their numbers.
// CHECK-LABEL: int chosen(
// CHECK: { if ((n > 100)) { {
// CHECK-SAME: static char gpuopt_key;
// CHECK: } else for (int i = 0; i < n; i++)
// CHECK-NEXT: a[i] = i;
// CHECK-NEXT: #line [[#@LINE + 4]]
int chosen(int n, int a[n]) {
#pragma acc parallel loop if(n > 100)
  for (int i = 0; i < n; i++)
    a[i] = i;
  return __LINE__;
}

// One work item computes for the host.
// CHECK-LABEL: double total(
// CHECK: gpuopt_items[] = {1};
// CHECK-SAME: {gpuopt_acc_memory, "sum", (void *)&sum, (long long)(sizeof(sum))}
double total(int n, const double a[n]) {
  double sum = 0;
#pragma acc parallel loop reduction(+ : sum)
  for (int i = 0; i < n; i++)
    sum += a[i];
  return sum;
}

// Data that outlives a block.
// CHECK-LABEL: void keep(
// CHECK: { gpuopt_acc_enter(gpuopt_acc_copyin, 0, a, (long long)n * (long long)sizeof(*a), a); }
// CHECK-NEXT: { if (n > 2) { gpuopt_acc_update(gpuopt_acc_update_device_if_present, &a[0],
// CHECK-EMPTY:
// CHECK-NEXT: { gpuopt_acc_exit_data(gpuopt_acc_copyout_finally, a, (long long)n * (long long)sizeof(*a)); }
void keep(int n, float a[n]) {
#pragma acc enter data copyin(a)
#pragma acc update device(a[0:2]) \
  if(n > 2) if_present
#pragma acc exit data copyout(a) finalize
}

// Data of a function, wherever that is left.
// CHECK-LABEL: float borrow(
// CHECK-NEXT: struct gpuopt_acc_range gpuopt_declared_[[LINE:[0-9]+]][1]; gpuopt_acc_enter(gpuopt_acc_copyin, &gpuopt_declared_[[LINE]][0], &a[0], {{.*}}, a);
// CHECK-SAME: static const enum gpuopt_acc_action gpuopt_exits_[[LINE]][] = {gpuopt_acc_copyout};
// CHECK-SAME: __attribute__((cleanup(gpuopt_acc_leave_scope))) struct gpuopt_acc_scope gpuopt_scope_[[LINE]] = {gpuopt_declared_[[LINE]], gpuopt_exits_[[LINE]], 1};
// CHECK-NEXT: return a[0];
float borrow(int n, float *a) {
#pragma acc declare copy(a[0:n])
  return a[0];
}

// In the block the names are the device's addresses.
// CHECK-LABEL: void lend(
// CHECK: { __typeof__(&a[0]) gpuopt_a = (__typeof__(&a[0]) )gpuopt_acc_device_address(a); { __typeof__(&a[0]) a = gpuopt_a; use(a); } }
void use(float *);
void lend(float *a) {
#pragma acc host_data use_device(a)
  use(a);
}
