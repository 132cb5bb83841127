#include <stdint.h>
#include <stdlib.h>

#define ALLOCATE(n) malloc((n) * sizeof(double))

int main(void) {
  int n = 100;
  // CHECK: align.c:[[#@LINE+2]]:15: remark: allocates whole blocks of 64 bytes
  // CHECK: align.c:[[#@LINE+1]]:48: remark: allocates whole blocks of 64 bytes
  double *a = malloc(n * sizeof(double)), *b = malloc(8), *c, *d, *e;
  free(b);
  // CHECK: align.c:[[#@LINE+1]]:17: remark: allocates whole blocks of 64 bytes
  b = (double *)malloc(sizeof(double) * n);
  // CHECK-NOT: allocates
  c = ALLOCATE(n);
  d = calloc(n, 8);
  e = malloc(8);
  *e = 1;
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
    a[i] = b[i] = c[i] = i;
    d[i] += 1;
  }
  int isAligned = (uintptr_t)a % 64 == 0 && a[99] == 99 && *e == 1;
  a = realloc(a, 2000);
  isAligned &= a[99] == 99;
  free(a), free(b), free(c), free(d), free(e);
  return !isAligned;
}
