#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static double a[5000], b[5000];

int main(int argc, char **argv) {
  int steps = argc > 1 ? atoi(argv[1]) : 20;
  double sum = 0, slow = 1;
  /* What the host does beside the loops is nothing that the device has. */
  for (int t = 0; t < steps; t++) {
    if (t % 10 == 0)
      printf("step %d\n", t);
#pragma omp parallel for
    for (int i = 1; i < 4999; i++)
      b[i] = sin(a[i - 1]) + cos(a[i + 1]);
    sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 1; i < 4999; i++) {
      a[i] = b[i] + 1;
      sum += (long)(a[i] * 1024);
    }
    printf("%g\n", sum);
  }
  for (int t = 0; t < steps; t++) {
    slow = pow(slow, 1.01) + pow(slow, 0.99) + pow(slow, 0.98) + pow(slow, 0.97) + pow(slow, 0.96) + pow(slow, 0.95);
    slow = pow(slow, 0.51) + pow(slow, 0.49) + pow(slow, 0.48) + pow(slow, 0.47) + pow(slow, 0.46) + pow(slow, 0.45);
    slow = pow(slow, 0.51) + pow(slow, 0.49) + pow(slow, 0.48) + pow(slow, 0.47) + pow(slow, 0.46) + pow(slow, 0.45);
    slow = pow(slow, 0.51) + pow(slow, 0.49) + pow(slow, 0.48) + pow(slow, 0.47) + pow(slow, 0.46) + pow(slow, 0.45);
    slow = pow(slow, 0.51) + pow(slow, 0.49) + pow(slow, 0.48) + pow(slow, 0.47) + pow(slow, 0.46) + pow(slow, 0.45);
#pragma omp parallel for
    for (int i = 0; i < 2; i++)
      b[i] += 1;
  }
  printf("%.6f %g %g\n", slow, b[1], a[7]);
  return 0;
}
