/* Jacobi's method and some more: every way in which data goes to a device. */
#include <stdio.h>
#include <stdlib.h>

#define ROWS 24
static double table[ROWS][ROWS], scale[ROWS];

static double weigh(double value, const double *weights, int row) {
  return value * weights[row];
}

/* An array of its own, rows of a matrix, a function. */
static void fill(int first, int last, double *result) {
  double local[ROWS];
#pragma omp parallel for
  for (int i = 0; i < ROWS; i++)
    local[i] = i * 0.5;
#pragma omp parallel for
  for (int i = first; i < last; i++)
    for (int j = 0; j < ROWS; j++)
      table[i][j] = weigh(local[j], scale, i);
#pragma omp parallel for
  for (int i = first; i < last; i++)
    result[i - first] = table[i][i];
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 40, steps = 10;
  double *a = malloc(sizeof(double) * n * n), *b = malloc(sizeof(double) * n * n);
  double *diagonal = malloc(sizeof(double) * ROWS), sum = 0;
  for (int i = 0; i < n * n; i++)
    a[i] = b[i] = i % 7;
  for (int i = 0; i < ROWS; i++)
    scale[i] = i;
  fill(3, 20, diagonal);
  for (int t = 0; t < steps; t++) {
#pragma omp parallel for
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        b[i * n + j] = 0.25 * (a[(i - 1) * n + j] + a[(i + 1) * n + j] + a[i * n + j - 1] + a[i * n + j + 1]);
#pragma omp parallel for
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        a[i * n + j] = b[i * n + j];
  }
  /* The same memory by two names: not on the device. */
  double *shifted = a + 1;
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    shifted[n + i] = a[i];
#pragma omp parallel for reduction(+:sum)
  for (int i = 0; i < n * n; i++)
    sum += (long)(a[i] * 1024);
  for (int i = 0; i < 17; i++)
    sum += diagonal[i];
  printf("%g\n", sum);
  free(a);
  free(b);
  free(diagonal);
  return 0;
}
