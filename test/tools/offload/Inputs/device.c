/* A program with target regions of OpenMP: what is on the device is another memory. */
#include <stdio.h>
#include <stdlib.h>

static double table[40];

int main(void) {
  int n = 40, count = 0;
  double sum = 0, *a = malloc(n * sizeof(double)), *b = malloc(n * sizeof(double));
  for (int i = 0; i < n; i++)
    a[i] = i, b[i] = 2 * i, table[i] = 1;
#pragma omp target data map(to: a[0:n]) map(tofrom: b[0:n])
  {
#pragma omp target teams distribute parallel for map(alloc: a[0:n], b[0:n]) \
    thread_limit(64) nowait
    for (int i = 0; i < n; i++)
      b[i] += a[i];
#pragma omp taskwait
    b[3] = -1;
    b[5] = b[6] = 0;
#pragma omp target update from(b[5:2])
    printf("%g %g %g\n", b[3], b[5], b[6]);
#pragma omp target update to(b[3:1])
#pragma omp target teams distribute parallel for simd reduction(+ : sum) map(tofrom: sum) map(alloc: b[0:n])
    for (int i = 0; i < n; i++)
      sum += b[i];
  }
#pragma omp target enter data map(to: table[0:40])
  table[0] = 100;
#pragma omp target parallel for map(alloc: table[0:40]) firstprivate(sum)
  for (int i = 0; i < 40; i++)
    table[i] += i + sum;
#pragma omp target exit data map(from: table[0:40])
  /* Threads of the host. */
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    a[i] *= 2;
#pragma omp target map(tofrom: a[0:n], count) if (n > 3)
  {
#pragma omp teams distribute parallel for
    for (int i = 0; i < n; i++)
      if (i % 3) {
        a[i] += 1;
      } else {
#pragma omp atomic
        count++;
      }
  }
  /* No directive is here, as in
#pragma omp target map(alloc: a[0:1])
  */
  for (int i = 0; i < n; i++)
    sum += a[i] + b[i] * table[i];
#ifdef WITH_DEVICE
#pragma omp target parallel for map(always, tofrom : a[0:n])
#else
#pragma omp parallel for
#endif
  for (int i = 0; i < n; i++)
    a[i] = 0;
  printf("%g %d %g\n", sum, count, table[0]);
  free(a);
  free(b);
  return 0;
}
