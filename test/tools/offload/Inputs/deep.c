#include <stdio.h>
#include <stdlib.h>

struct vector {
  int n;
  double *data;
};
struct system {
  struct vector x, *y;
  double *rows[2];
  double factor;
};

// Pointers in structures, which the loops do not change.
static void axpy(struct vector *y, double a, const struct vector *x) {
#pragma omp parallel for
  for (int i = 0; i < 40; i++)
    y->data[i] += a * x->data[i];
}

// The way to one leads over another one. Elements of arrays are such pointers, too.
static void step(struct system *s, int which) {
#pragma omp parallel for
  for (int i = 1; i < 39; i++) {
    double *row = s->rows[which];
    row[i] = s->factor * (s->x.data[i - 1] + s->y->data[i + 1]) + s->rows[1][i];
  }
}

// In a team, and for all iterations of a sequential loop.
static double smooth(struct system s) {
  double total = 0;
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < s.x.n; i++)
      s.x.data[i] = 0.5 * s.x.data[i];
  }
  for (int t = 0; t < 3; t++) {
#pragma omp parallel for
    for (int i = 0; i < 40; i++)
      s.rows[0][i] = s.rows[1][i] + 1;
#pragma omp parallel for
    for (int i = 0; i < 40; i++)
      s.rows[1][i] = s.rows[0][i] * 0.5;
  }
#pragma omp parallel for reduction(+ : total)
  for (int i = 0; i < 40; i++)
    total += s.rows[0][i] + s.x.data[i];
  return total;
}

int main(void) {
  struct vector y = {40, malloc(40 * sizeof(double))};
  struct system s = {{40, malloc(40 * sizeof(double))}, &y, {malloc(40 * sizeof(double)), malloc(40 * sizeof(double))}, 0.5};
  for (int i = 0; i < 40; i++)
    y.data[i] = i, s.x.data[i] = i % 7, s.rows[0][i] = 1, s.rows[1][i] = i % 3;
  axpy(&y, 2, &s.x);
  step(&s, 0);
  // Both pointers lead to one row.
  step(&s, 1);
  axpy(&y, 3, &y);
  printf("%g\n", smooth(s));
  for (int i = 0; i < 40; i++)
    printf("%g %g %g %g\n", y.data[i], s.x.data[i], s.rows[0][i], s.rows[1][i]);
  return 0;
}
