// Says which elements the program fetches for 5 threads and 3 rows that are 100 apart.
#include <stdio.h>
static float a[400], out[8];
static void note(const void *address) {
  long at = (const float *)address - a, behind = (const float *)address - out;
  if (at >= 0 && at < 400)
    printf("a[%ld]\n", at);
  else
    printf("out[%ld]\n", behind);
}
#define FETCH(address) note(address)
#include PROGRAM
int main(void) {
  struct extent grid = {1, 1, 1};
  printf("%lld visits\n", prefetch_columns(grid, a, out, 5, 100, 3));
  return 0;
}
