int size[3];
double a[50][50], b[50];

void f(void) {
  // The host reads its own 'size', which the device does not change.
  for (int i = 1; i < size[0] - 1; i++) {
    // CHECK: hoist.c:[[#@LINE+1]]:1: remark: offloaded where it pays, data once for all iterations of the loop in line [[#@LINE-1]]
#pragma omp parallel for
    for (int j = 0; j < 50; j++)
      a[i][j] += a[i - 1][j];
  }
  // It does here, so that the loop may end otherwise.
  for (int i = 1; i < size[0] - 1; i++) {
    // CHECK: hoist.c:[[#@LINE+1]]:1: remark: offloaded where it pays{{$}}
#pragma omp parallel for
    for (int j = 0; j < 3; j++)
      size[j] -= 1;
  }
}

// A pointer may lead there.
void g(int *restrict p, int n) {
  for (int i = 1; i < size[0] - 1; i++) {
    // CHECK: hoist.c:[[#@LINE+1]]:1: remark: offloaded where it pays{{$}}
#pragma omp parallel for
    for (int j = 0; j < n; j++)
      p[j] -= 1;
  }
}
