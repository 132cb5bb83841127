#include <stdlib.h>

static double a[2][100];

static void fill(double *to) {
#pragma omp parallel for
  for (int i = 0; i < 100; i++)
    to[i] = 1;
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < 100; i++)
      to[i] += i;
#pragma omp critical
    to[0] = 1;
  }
}

int main(void) {
#pragma omp parallel for schedule(static, 1)
  for (int k = 0; k < 2; k++)
    fill(a[k]);
  return a[0][99] + a[1][0] == 101 ? EXIT_SUCCESS : EXIT_FAILURE;
}
