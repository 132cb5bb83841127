// No array stays on the device for these loops, and why.
#include <setjmp.h>
#include <stdio.h>
#ifdef JUMP
static jmp_buf place;
#endif
static double a[32], b[32], c[32], d[32], e[32], f[32], g[32];
double visible[32];
static int ends[2] = {0, 32};
static double *somewhere = g;

static void add(void) {
#pragma omp parallel for
  for (int i = 0; i < 32; i++)
    a[i] += 1;
}

// An array that the host reads while the loop runs; the address of another is known.
static void reads(void) {
#pragma omp parallel for
  for (int i = 0; i < 32; i++)
    b[i] += g[i] + visible[i];
  printf("%g %g\n", b[3], *somewhere);
}

// Bounds that a region changes.
static void bounds(void) {
#pragma omp parallel for
  for (int i = ends[0]; i < ends[1]; i++)
    c[i] += 1;
#pragma omp parallel for
  for (int i = 0; i < 2; i++)
    ends[i] = ends[i] + 0;
}

// Others may call this one, and what it uses.
static void more(void) {
#pragma omp parallel for
  for (int i = 0; i < 32; i++)
    d[i] += 1;
}
void anybody(void) { more(); }

// Each thread of a team would move it.
static void inner(void) {
#pragma omp parallel for
  for (int i = 0; i < 32; i++)
    e[i] += 1;
}
static void outer(void) {
#pragma omp parallel
  {
#pragma omp critical
    inner();
  }
}

// Control leaves the loop.
static int leaves(void) {
  for (int step = 0; step < 3; step++) {
#pragma omp parallel for
    for (int i = 0; i < 32; i++)
      f[i] += 1;
    if (c[0] > 7)
      return 1;
    add();
  }
  return 0;
}

int main(void) {
#ifdef JUMP
  if (setjmp(place))
    return 1;
#endif
  for (int step = 0; step < 2; step++)
    reads();
  for (int step = 0; step < 2; step++)
    bounds();
  for (int step = 0; step < 2; step++)
    more();
  for (int step = 0; step < 2; step++)
    outer();
  int left = leaves();
#ifdef KEPT
  for (int step = 0; step < 2; step++)
    add();
#endif
  anybody();
  printf("%d %g %g %g %g %g\n", left, a[1], c[1], d[1], e[1], f[1]);
  return 0;
}
