double a[100], b[100], c[100];
int m[100];

double f(int n) {
  double x = 0, *p = &x, y = 0, *q = &y;
  int i, *at = &i;
  // CHECK: addressed.c:[[#@LINE+2]]:5: remark: not offloaded: 'x' goes from one iteration to another or is used behind the loop
  for (int j = 0; j < n; j++) {
    x = b[j];
    a[j] = *p;
  }
  // CHECK: addressed.c:[[#@LINE+2]]:5: remark: not offloaded: 'y' goes from one iteration to another or is used behind the loop
  for (int j = 0; j < n; j++) {
    y = b[j];
    a[j] = y;
  }
  // CHECK: addressed.c:[[#@LINE+1]]:3: remark: not offloaded: 'i' goes from one iteration to another or is used behind the loop
  for (i = 0; i < 100; i++)
    a[i] = c[*at];
  return *q;
}

void g(void) {
  double t = 0;
  // CHECK: addressed.c:[[#@LINE+2]]:5: remark: not offloaded: chooses its statements by 'switch'
  for (int i = 0; i < 100; i++)
    switch (m[i]) {
    case 0:
      t = b[i];
      break;
    default:
      a[i] = t;
    }
}
