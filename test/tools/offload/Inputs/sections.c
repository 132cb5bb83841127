#include <math.h>
#define N 64
double M[N][N], V[N], W[N];
static double square(double x) { return x * x; }
static void set(double *p, int k, double v) { p[k] = v; }

void f(int n, int m, long k, double *a, const double *restrict b,
       double *restrict c, const int *index, const int *mask) {
  int i, j;
  double sum = 0;
  // The loop inside has iterations, so that a[0] exists.
#pragma omp parallel for private(j) reduction(+:sum)
  for (i = 0; i < n; i++)
    for (j = 0; j < m; j++)
      sum += a[i * m + j] * square(b[i]);

  // Triangles by their hull; rows of a matrix.
#pragma omp parallel for private(j)
  for (i = 1; i < n - 1; i++)
    for (j = i; j < n; j++)
      M[i][j] = V[j] + sqrt(W[i - 1]);

  // A part of a row; whole rows, all written.
#pragma omp parallel for
  for (i = 0; i < 20; i++)
    V[i] = M[n][i + 5];
#pragma omp parallel
  {
#pragma omp for collapse(2) schedule(static)
    for (int y = 30; y < 50; y++)
      for (int x = 0; x < N; x++)
        M[y][x] = 0;
  }

  // An array that is declared exists as a whole, whatever subscripts are.
#pragma omp parallel for
  for (i = 0; i < n; i++)
    V[index[i]] = 1;

  // What conditions on variables of loops say; what both branches do.
#pragma omp parallel for
  for (i = 0; i < n; i++) {
    if (i > 0 && i < n - 1)
      c[i] = b[i - 1] + b[i + 1];
    else
      c[i] = b[i];
  }

  // Pointers that are followed, also into a function; steps.
#pragma omp parallel for private(j)
  for (i = 0; i < n; i += 2) {
    double *row = a + i * k;
    set(row, 3, V[0]);
    for (j = 4; j < k; j++)
      row[j] = 2;
  }

  // Atomic operations on a variable; strides; from the end.
#pragma omp parallel for
  for (i = 0; i < n; i++) {
#pragma omp atomic update
    sum += b[n - i];
    c[2 * i + 1] = i;
  }
}
