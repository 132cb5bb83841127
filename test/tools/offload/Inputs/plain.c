double M[50][60];

void f(int n, int k, double *a, double *b, int *index) {
  int i, j;
  double t, s = 0;
  // CHECK: plain.c:[[#@LINE+1]]:3: remark: offloaded where it pays{{$}}
  for (i = 0; i < n; i++) {
    t = b[i];
    a[i] = t * t;
  }
  s = a[0];
  // CHECK: plain.c:[[#@LINE+1]]:3: remark: offloaded where it pays{{$}}
  for (i = 0; i < n; i++)
    for (j = 0; j < k; j++)
      a[i * k + j] = b[j];
  s = a[0];
  // One row after the other, the elements of a row at the same time.
  // CHECK: plain.c:[[#@LINE+1]]:28: remark: offloaded where it pays, data once for all iterations of the loop in line [[#@LINE+1]]
  for (i = 1; i < 50; i++) for (j = 0; j < 60; j++) M[i][j] += M[i - 1][j];
  s = a[0];
  // CHECK: plain.c:[[#@LINE+1]]:3: remark: offloaded where it pays{{$}}
  for (i = 0; i < n; i++)
    a[i] = a[i + n];
  b[0] = s;
}

void g(int n, double *a, double *b, int *index) {
  double t = 0, s = 0;
  // CHECK: plain.c:[[#@LINE+2]]:5: remark: not offloaded: iterations may write 'a' where others access it
  for (int i = 1; i < n; i++)
    a[i] = a[i - 1] + b[i];
  // CHECK: plain.c:[[#@LINE+2]]:5: remark: not offloaded: iterations may write 'a' where others access it
  for (int i = 0; i < n; i++)
    a[index[i]] = b[i];
  // CHECK: plain.c:[[#@LINE+2]]:5: remark: not offloaded: 's' goes from one iteration to another or is used behind the loop
  for (int i = 0; i < n; i++)
    s += b[i];
  // CHECK: plain.c:[[#@LINE+3]]:7: remark: not offloaded: the loop is left by 'break'
  for (int i = 0; i < n; i++) {
    if (b[i] < 0)
      break;
    a[i] = 1;
  }
  // CHECK: plain.c:[[#@LINE+3]]:7: remark: not offloaded: 't' goes from one iteration to another or is used behind the loop
  for (int i = 0; i < n; i++) {
    if (b[i] < 0)
      t = 3;
    a[i] = t;
  }
  // CHECK: plain.c:[[#@LINE+2]]:5: remark: not offloaded: 't' goes from one iteration to another or is used behind the loop
  for (int i = 0; i < n; i++)
    t = a[i];
  a[0] = s + t;
}

void h(int n, double *a, double *b) {
  double t = 0, *p;
  // CHECK: plain.c:[[#@LINE+5]]:7: remark: not offloaded: 't' goes from one iteration to another or is used behind the loop
  for (int i = 0; i < n; i++) {
    p = a + i;
    *p = 0;
    if (b[i] < 0)
      t = 3;
    p[0] = t;
  }
}
