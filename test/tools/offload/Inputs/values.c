#include <stddef.h>
// What values are is not as simple as it looks: types that wrap, effects, jumps.
struct tail {
  int n;
  double v[];
};
struct old_tail {
  int n;
  double v[1];
};
double m[4][10], q[8][8];
static int half(int k) { return k / 2; }

void f(int n, long k, unsigned u, size_t z, int w, double *a, const double *restrict b,
       struct tail *t, struct old_tail *o, volatile int *v) {
  // Each case begins where the switch does.
  // CHECK: :[[#@LINE+4]]:5: remark: not offloaded: chooses its statements by 'switch'
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
    int at = i;
    switch (i % 3) {
    case 1:
      at = 0;
    default:
      a[i] = b[at];
    }
  }
  // CHECK: :[[#@LINE+5]]:14: remark: not offloaded: cannot tell which elements of 'b' exist and are used
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
    int c = 0;
    if (i >= c++)
      a[i] = b[i + c];
  }
  // CHECK: :[[#@LINE+5]]:12: remark: not offloaded: cannot tell which elements of 'b' exist and are used
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
    int c = 5;
    c += -1u;
    a[i] = b[c];
  }
  // CHECK: :[[#@LINE+5]]:12: remark: not offloaded: cannot tell which elements of 'b' exist and are used
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
    short c = 32767;
    c++;
    a[i] = b[c + 32768];
  }
  // It never runs where n is less than 5.
  // CHECK: :[[#@LINE+2]]:3: remark: not offloaded: the iterations of this loop cannot be counted before it
#pragma omp parallel for
  for (size_t i = z - 5; i < z; i++)
    a[i + 5 - z] = 1;
  // CHECK: :[[#@LINE+3]]:15: remark: not offloaded: 't->v' has no length of its own
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    a[i] = t->v[i];
  // CHECK: :[[#@LINE+3]]:15: remark: not offloaded: 'o->v' has no length of its own
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    a[i] = o->v[i];
  // CHECK: :[[#@LINE+3]]:5: remark: not offloaded: may leave the row of 'm' that it is in
#pragma omp parallel for
  for (int i = 0; i < 40; i++)
    (&m[0][0])[i] = b[i];
  // CHECK: :[[#@LINE+4]]:7: remark: not offloaded: may leave the row of 'q' that it is in
#pragma omp parallel for
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 8; j++)
      q[0][8 * i + j] = b[j];
  // CHECK: :[[#@LINE+3]]:6: remark: not offloaded: cannot tell which memory '&m' points to
#pragma omp parallel for
  for (int i = 0; i < 4; i++)
    (&m)[0][i][0] = b[i];
  // CHECK: :[[#@LINE+3]]:5: remark: not offloaded: accesses memory that is volatile
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    v[i] = i;
  // CHECK: :[[#@LINE+1]]:26: remark: not offloaded: a device does not evaluate this clause
#pragma omp parallel for if(w++ == 0)
  for (int i = 0; i < n; i++)
    a[i] = i;
  // CHECK: :[[#@LINE+3]]:5: remark: not offloaded: a clause gives each iteration its own 'a'
#pragma omp parallel for firstprivate(a)
  for (int i = 0; i < n; i++)
    a[i] = i;
  // The loop around changes its bound.
  // CHECK: :[[#@LINE+3]]:1: remark: offloaded where it pays{{$}}
  // CHECK-NOT: line
  for (int s = 0; s < w--; s++)
#pragma omp parallel for
    for (int i = 0; i < w; i++)
      a[i] += b[i];
}

void rows(int size, int n, double *from, double *to) {
  int length = size;
  double (*r)[length] = (void *)from;
  length = 3;
  // CHECK: :[[#@LINE+3]]:13: remark: not offloaded: uses 'r', whose size may have been another one
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    to[i] = r[i][0];
  // CHECK: :[[#@LINE+1]]:1: remark: not offloaded: a macro, another file or an '#if' has a part of this loop
#pragma omp parallel for
#ifdef BACKWARDS
  for (int i = n - 1; i >= 0; i--)
#else
  for (int i = 0; i < n; i++)
#endif
    to[i] = 1;
}
