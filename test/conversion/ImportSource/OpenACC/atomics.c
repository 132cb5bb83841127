// Atomic constructs: one instruction where there is one that does the same, compare-and-exchange in a loop else; results are
// those of the sequential program.
// RUN: gpuopt compile %s --target sm_90 --kernel count_kernel -o - | FileCheck %s
// RUN: gpuopt compile %s --target sm_90 --kernel halve_kernel -o - | FileCheck %s --check-prefix=LOOP
// RUN: gpuopt check %s --inputs ordinary --size n=70,m=9 | FileCheck %s --check-prefix=PASSED
// RUN: gpuopt check %s --inputs ordinary --size n=1000,m=2 | FileCheck %s --check-prefix=PASSED
// RUN: gpuopt check %s --inputs ordinary --target gfx942 --size n=333,m=40 | FileCheck %s --check-prefix=PASSED
// PASSED-COUNT-5: passed

// CHECK-LABEL: .entry count_kernel
// CHECK: {{red|atom}}.global.add.u32
// CHECK: {{red|atom}}.global.add.f32
// CHECK: {{red|atom}}.global.or.b32
void count(int n, int m, int of[m], float sum[m], unsigned seen[m]) {
#pragma acc parallel loop
  for (int i = 0; i < n; i++) {
#pragma acc atomic
    of[i % m]++;
#pragma acc atomic update
    sum[i % m] = 0.5f + sum[i % m];
#pragma acc atomic
    seen[i % m] |= 1u << (i & 31);
  }
}

// No instruction does a product, nor a sum that is rounded to another type.
// LOOP-LABEL: .entry halve_kernel
// LOOP: atom.{{.*}}cas.b64
// LOOP: atom.{{.*}}cas.b32
void halve(int n, int m, double a[m], int b[m]) {
#pragma acc parallel loop
  for (int i = 0; i < n; i++) {
#pragma acc atomic
    a[i % m] = a[i % m] / 2;
#pragma acc atomic
    b[i % m] += 0.0;
  }
}

// What is captured is what was there.
void last(int n, int m, int *restrict next, int order[n], int copy[1]) {
#pragma acc parallel loop copy(next[0:1])
  for (int i = 0; i < n; i++) {
    int at;
#pragma acc atomic capture
    at = next[0]++;
    if (at >= 0 && at < n)
      order[at] = 1;
#pragma acc atomic write
    copy[0] = m;
  }
}

// OpenMP's are the same.
void threads(int n, int m, float low[m], int *restrict seen) {
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
#pragma omp atomic seq_cst
    low[i % m] -= 1;
#pragma omp atomic write
    seen[0] = n;
  }
}

// One variable of all iterations is added to in their order.
float total(int n, float a[n]) {
  float sum = 0;
#pragma acc parallel loop
  for (int i = 0; i < n; i++) {
#pragma acc atomic
    sum += a[i];
  }
  return sum;
}
