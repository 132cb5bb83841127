#include <stddef.h>
struct four {
  double v[4];
};
double keep[100], limit[50];

void f(int n, int m, long k, unsigned u, double *restrict a, const double *restrict b) {
  // Names have the types of what they stand for.
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
    unsigned char c = k;
    a[i] = b[c];
  }
  keep[0] = a[0];
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
    long c = (long)u + 5;
    a[i] = b[c];
  }
  keep[1] = a[0];
#pragma omp parallel for
  for (long i = 0; i <= n; i++)
    a[i] = b[i];
  keep[2] = a[0];
  // The loop inside may have no iterations.
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int c = 0; c <= m + i - j; c++)
        a[i * n + j] = 1;
  keep[3] = a[0];
  // 'continue' leads to the condition.
#pragma omp parallel for
  for (int i = 0; i < 50; i++) {
    int at = i;
    do {
      if (at < keep[i])
        continue;
      at = 3;
    } while (limit[at] > 3);
  }
}

double g(int n, const double *restrict b) {
  struct four s[10];
  double *p = s[2].v, x = 0, y = 7;
  // Somebody has the address of an element.
#pragma omp parallel for
  for (int i = 0; i < 10; i++)
    s[i].v[0] = i;
  keep[4] = *p;
#pragma omp parallel for lastprivate(x)
  for (int i = 0; i < 10; i++) {
    x = b[i];
    keep[i] = x;
  }
  // Without iterations y keeps its value.
  for (int step = 0; step < 3; step++)
#pragma omp parallel for lastprivate(y)
    for (int i = step; i < n; i++)
      y = i + x;
  return *p + x + y;
}
