// OpenMP's loops, of threads of the host or offloaded, are read as OpenACC's: what is after them keeps its lines, and tuned
// kernels do what the sequential program does.
//
// RUN: gpuopt check %s --size n=37 --size m=45 2>&1 | FileCheck %s --implicit-check-not=FAILED
// CHECK: openmp.c:{{[0-9]+}}:5: warning: 's' goes from one iteration of this loop to the next
// CHECK: scale_kernel: original launch 1x1x1 blocks of 256x1x1
// CHECK: offloaded_kernel: original launch 2x5x1 blocks of 32x8x1
// CHECK: teams_kernel: original launch 1x1x1 blocks of 256x1x1
// CHECK: sum_kernel: original launch 1x1x1 blocks of 256x1x1
// CHECK: steps_kernel1
// CHECK: steps_kernel2
// CHECK: steps_kernel3
// CHECK: carried_kernel: original launch 1x1x1 blocks of 256x1x1

void scale(int n, float a[n]) {
#pragma omp parallel for schedule(static, 4) num_threads(8) // Over the threads of the host.
  for (int i = 0; i < n; ++i)
    a[i] *= 3;
}

void offloaded(int n, int m, float a[n][m], float b[n][m]) {
#pragma omp target data map(to : a[0 : n][0 : m]) map(from : b[0 : n][0 : m])
#pragma omp target teams distribute parallel for simd \
    collapse(2)
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j)
      b[i][j] = a[i][j] + 1;
}

void teams(int n, int m, float a[n][m]) {
#pragma omp target teams
#pragma omp distribute
  for (int i = 0; i < n; ++i) {
#pragma omp parallel for
    for (int j = 0; j < m; ++j)
      a[i][j] += 1;
#pragma omp parallel for
    for (int j = 0; j < m; ++j)
      a[i][j] *= 2;
  }
}

int sum(int n, const int a[n]) {
  int s = 0;
#pragma omp parallel for reduction(- : s)
  for (int i = 0; i < n; ++i)
    s -= a[i];
  return s;
}

void steps(int n, int m, float a[n], float b[n]) {
  int i;
  float t;
#pragma omp parallel private(i, t)
  {
#pragma omp for nowait
    for (i = 0; i < n; ++i) {
      t = a[i];
      b[i] = t * t;
    }
#pragma omp barrier
#pragma omp single
    b[0] = 1;
#pragma omp for
    for (i = 0; i < n; ++i)
      a[i] = b[i];
  }
}

void carried(int n, float a[n]) {
  float s = 0;
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    s = s * 0.5f + a[i];
    a[i] = s;
  }
}
