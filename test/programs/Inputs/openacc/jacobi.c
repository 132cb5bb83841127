// Jacobi's method, as tutorials have it: one region of data around all steps.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 67, m = n + 5, steps = 0;
  double *restrict a = (double *)malloc(sizeof(double) * n * m);
  double *restrict next = (double *)malloc(sizeof(double) * n * m);
  for (int i = 0; i < n * m; i++)
    a[i] = next[i] = i < m ? 1 : 0;
  double error = 1;
#pragma acc data copy(a[0:n * m]) create(next[0:n * m])
  while (error > 1e-3 && steps < 60) {
    error = 0;
#pragma acc parallel loop reduction(max : error)
    for (int j = 1; j < n - 1; j++)
#pragma acc loop reduction(max : error)
      for (int i = 1; i < m - 1; i++) {
        next[j * m + i] = 0.25 * (a[j * m + i + 1] + a[j * m + i - 1] + a[(j - 1) * m + i] + a[(j + 1) * m + i]);
        error = fmax(error, fabs(next[j * m + i] - a[j * m + i]));
      }
#pragma acc parallel loop
    for (int j = 1; j < n - 1; j++)
#pragma acc loop
      for (int i = 1; i < m - 1; i++)
        a[j * m + i] = next[j * m + i];
    steps++;
  }
  double sum = 0;
  for (int i = 0; i < n * m; i++)
    sum += a[i];
  printf("%d steps, error %.6f, sum %.6f\n", steps, error, sum);
  free(a);
  free(next);
  return 0;
}
