// Teams whose threads run the same code are blocks: what a team declares is workgroup memory, unless each thread can compute it
// for itself, and barriers are those of a block.
//
// RUN: gpuopt compile %s --no-opt --emit cuda -o - | FileCheck %s
// RUN: gpuopt check %s --kernel sums_kernel --size n=1000 --grid 8 | FileCheck %s --check-prefix=EXECUTED
// RUN: gpuopt check %s --kernel reverse_kernel --grid 5 | FileCheck %s --check-prefix=EXECUTED
// RUN: gpuopt check %s --kernel phases_kernel --grid 3 | FileCheck %s --check-prefix=EXECUTED
// EXECUTED: tuned {{[0-9]+}}x1x1 blocks
// EXECUTED-NOT: FAILED
// EXECUTED: passed
#include <omp.h>

static int identity(void) { return omp_get_thread_num(); }

// A function's own barrier is of the threads that call it.
static void halve(float *sums, int t, int h) {
  if (t < h)
    sums[t] += sums[t + h];
#pragma omp barrier
}

// CHECK-LABEL: sums_kernel(int n, const float *a, float *sum)
// CHECK-NEXT: __shared__ float {{.*}}[128];
// CHECK: __syncthreads();
void sums(int n, const float *a, float *sum, int teams) {
#pragma omp target teams num_teams(teams) thread_limit(128) map(to : a[0 : n])
  {
    float sums[128];
    int first = omp_get_team_num() * 128;
#pragma omp parallel num_threads(128)
    {
      int t = identity();
      sums[t] = first + t < n ? a[first + t] : 0;
#pragma omp barrier
      for (int h = 64; h > 0; h /= 2)
        halve(sums, t, h);
#pragma omp master
      sum[omp_get_team_num()] = sums[0];
    }
  }
}

// CHECK-LABEL: reverse_kernel(
// CHECK: __shared__
void reverse(float *a) {
#pragma omp target teams thread_limit(64)
  {
    float tile[64];
#pragma omp parallel num_threads(64) default(shared)
    {
      int t = omp_get_thread_num(), item = omp_get_team_num() * omp_get_num_threads() + t;
      tile[t] = a[item];
#pragma omp barrier
      a[item] = tile[63 - t];
    }
  }
}

// Threads wait for each other between the parts; a number that all of them share is in workgroup memory, too.
// CHECK-LABEL: phases_kernel(
// CHECK: __syncthreads();
void phases(int *a) {
#pragma omp target teams thread_limit(64)
  {
    int last;
#pragma omp parallel
    {
      int t = omp_get_thread_num();
      if (t == 63)
        last = a[omp_get_team_num() * 64 + t];
    }
#pragma omp parallel num_threads(64)
    a[omp_get_team_num() * 64 + omp_get_thread_num()] = last;
  }
}
