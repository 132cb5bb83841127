/* Loops that teams share out: in a region with other things, in a sequential
   loop of it, and in functions that regions call. */
#include <stdio.h>

#define N 60
static double a[N], b[N], c[N], m[N][N], total;
static int n = N;

/* Whoever calls it has the same k in all threads. */
static void sweep(double *to, const double *from, int k) {
  int i;
  double t;
#pragma omp for nowait
  for (i = 1; i < n - 1; i++) {
    t = from[i - 1] + k;
    to[i] = 0.25 * (t + from[i + 1]);
  }
#pragma omp barrier
}

static void solve(void) {
  double scale = 0.5;
#pragma omp parallel firstprivate(scale)
  {
    int i, j, k, first;
    double row[4], factor;
    factor = 2 * scale;
#pragma omp for
    for (i = 0; i < n; i++)
      a[i] = factor * i;
    first = 1;
#pragma omp for nowait
    for (i = 0; i < n; i++)
      for (j = 0; j < n; j++)
        m[i][j] = a[j] + first;
#pragma omp barrier
#pragma omp for reduction(+ : total)
    for (i = 0; i < n; i++) {
      for (j = 0; j < 4; j++)
        row[j] = m[i][j];
      total += row[0] + row[3];
    }
#pragma omp single
    b[0] = total;
#pragma omp master
    printf("%g\n", b[0]);
    for (k = 0; k < 3; k++) {
#pragma omp for
      for (i = k; i < n; i++)
        m[i][k] = a[i] - k;
    }
    for (k = 0; k < 2; k++) {
      sweep(c, a, k);
      sweep(a, c, 1);
    }
#pragma omp critical
    b[1] += 1;
  }
}

int main(void) {
  double sum = 0;
  solve();
  for (int i = 0; i < n; i++)
    sum += a[i] + c[i] + m[i][1] + m[i][i];
  printf("%g %d\n", sum, b[1] > 0);
  return 0;
}
