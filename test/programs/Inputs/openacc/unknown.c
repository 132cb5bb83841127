// What goes wrong when it runs.
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  int n = 10, *a = malloc(n * sizeof *a);
  if (argc > 1 && !strcmp(argv[1], "present")) {
#pragma acc data present(a[0:n])
    a[0] = 1;
  }
  if (argc > 1 && !strcmp(argv[1], "partly")) {
#pragma acc enter data copyin(a[0:n / 2])
#pragma acc enter data copyin(a[0:n])
  }
#pragma acc parallel loop
  for (int i = 0; i < n; i++)
    a[i] = i;
  return 0;
}
