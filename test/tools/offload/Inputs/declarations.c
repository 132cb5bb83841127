#include <stdio.h>

static double a[64], b[64];

static void filter(int n) {
  double w[3] = {0.25, 0.5, -0.25}, unused = 1;
  int shift = 'b' - 'a';
  double factor = 2;
  // One that changes, one that somebody points to, one with no constant value, and the bound of a loop.
  double sum = 1, seen = 3, half = n / 2.0;
  double *at = &seen;
  int begin = 1;
#pragma omp parallel for
  for (int i = begin; i < 63; i++) {
    b[i] = w[0] * a[i - 1] + w[1] * a[i] + w[2] * a[i + shift];
    b[i] += sum + seen + half;
  }
  sum += 1;
#pragma omp parallel for collapse(2)
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 8; j++)
      a[8 * i + j] = factor * b[8 * i + j] + w[1];
  // It has a variable of that name later.
#pragma omp parallel for
  for (int i = 0; i < 64; i++) {
    b[i] = factor * a[i];
    double factor = 3;
    b[i] += factor;
  }
  *at = sum + unused;
}

int main(void) {
  for (int i = 0; i < 64; i++)
    a[i] = i % 7;
  filter(9);
  for (int i = 0; i < 64; i++)
    printf("%g %g\n", a[i], b[i]);
  return 0;
}
