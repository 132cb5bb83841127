#include <stdio.h>
static double u[64], v[64], w[64], seen[8], table[64];
static int counts[4] = {3, 60, 0, 0};

static void sweep(double factor) {
#pragma omp parallel for
  for (int i = 1; i < 63; i++)
    v[i] = factor * (u[i - 1] + u[i + 1]) + table[i];
}

// The host looks at w, and at no other array.
static void settle(int step) {
  w[0] = step;
#pragma omp parallel
  {
    double half = 0.5;
#pragma omp for
    for (int i = counts[0]; i < counts[1]; i++)
      u[i] = half * (v[i] + w[i] + table[i]);
#pragma omp for nowait
    for (int i = 0; i < 64; i++)
      v[i] = v[i] - u[i];
  }
}

static double sum(void) {
  double total = 0;
#pragma omp parallel for reduction(+ : total)
  for (int i = 0; i < 64; i++)
    total += u[i];
  return total;
}

int main(void) {
  for (int i = 0; i < 64; i++)
    u[i] = i, v[i] = i % 5, w[i] = i % 3, table[i] = 0.25 * i;
  for (int step = 0; step < 8; step++) {
    sweep(0.5);
    settle(step);
    seen[step] = sum();
    printf("%g\n", seen[step]);
  }
  for (int i = 0; i < 64; i++)
    printf("%g %g\n", u[i], v[i]);
  return 0;
}
