#include <omp.h>

static double a[100], b[100];

int main(void) {
  int sum = 0;
#pragma omp parallel
  {
    int me = omp_get_thread_num(), k;
    // What is between the loops, threads do differently: each goes alone.
    // CHECK: :[[#@LINE+1]]:1: remark: offloaded where it pays{{$}}
#pragma omp for
    for (int i = 0; i < 100; i++)
      a[i] = i;
    k = 2 * me;
    // CHECK: :[[#@LINE+1]]:1: remark: offloaded where it pays{{$}}
#pragma omp for
    for (int i = 0; i < 100; i++)
      b[i] = a[i];
#pragma omp critical
    sum += k;
  }
  // Of four threads: 0 + 2 + 4 + 6.
  return b[99] != 99 || sum != 12;
}
