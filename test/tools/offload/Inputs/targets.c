/* Loops that the program offloads itself, with more data than they need. */
void step(int n, int steps, double *restrict a, double *restrict b, const double *restrict w) {
  for (int t = 0; t < steps; t++) {
    // CHECK: :[[#@LINE+1]]:1: remark: brings less to the device, data once for all iterations of the loop in line [[#@LINE-1]]
#pragma omp target teams distribute parallel for map(tofrom: a[0:n], b[0:n]) map(to: w[0:n])
    for (int i = 1; i < n - 1; i++)
      b[i] = w[i] * (a[i - 1] + a[i + 1]);
    // CHECK: :[[#@LINE+1]]:1: remark: brings less to the device, data once for all iterations
#pragma omp target teams distribute parallel for map(tofrom: a[0:n], b[0:n])
    for (int i = 1; i < n - 1; i++)
      a[i] = b[i];
  }
}

double sum(int n, double *restrict a, double *restrict b) {
  double s = 0;
  // CHECK: :[[#@LINE+1]]:1: remark: brings less to the device{{$}}
#pragma omp target teams distribute parallel for map(tofrom: a[0:n], s) reduction(+:s)
  for (int i = 0; i < n; i++)
    s += a[i];
  // Written as a whole, and brought back as the program says, or not.
  // CHECK: :[[#@LINE+1]]:1: remark: brings less to the device{{$}}
#pragma omp target teams distribute parallel for map(tofrom: b[0:n]) thread_limit(64)
  for (int i = 0; i < n; i++)
    b[i] = s;
  // CHECK: :[[#@LINE+1]]:1: remark: brings less to the device{{$}}
#pragma omp target parallel for simd map(to: b[0:n])
  for (int i = 0; i < n; i++)
    b[i] = 1;
  return s;
}

void keeps(int n, double *restrict a, double *restrict b, int *index) {
  // CHECK: :[[#@LINE+1]]:1: remark: keeps its clauses: nothing to leave out
#pragma omp target parallel for map(from: a[0:n])
  for (int i = 0; i < n; i++)
    a[i] = 1;
  // CHECK: :[[#@LINE+1]]:1: remark: keeps its clauses: 'a' is brought to the device elsewhere
#pragma omp target parallel for
  for (int i = 0; i < n; i++)
    a[i] = 1;
  // CHECK: :[[#@LINE+1]]:53: remark: keeps its clauses: an offloaded loop cannot have this clause 'nowait'
#pragma omp target parallel for map(tofrom: a[0:n]) nowait
  for (int i = 0; i < n; i++)
    a[i] = 1;
  // CHECK: :[[#@LINE+1]]:33: remark: keeps its clauses: an offloaded loop cannot have this clause 'map'
#pragma omp target parallel for map(always, tofrom: a[0:n])
  for (int i = 0; i < n; i++)
    a[i] = 1;
  // The program may know which of them are used.
  // CHECK: :[[#@LINE+3]]:5: remark: keeps its clauses: cannot tell which elements of 'a' exist and are used
#pragma omp target parallel for map(tofrom: a[0:n]) map(to: index[0:n])
  for (int i = 0; i < n; i++)
    a[index[i]] = 1;
  for (int t = 0; t < 3; t++) {
    // What the first loop leaves in a is no result, and the second one has the host's.
    // CHECK: :[[#@LINE+1]]:1: remark: keeps its clauses: nothing to leave out
#pragma omp target parallel for map(to: a[0:n]) map(from: b[0:n])
    for (int i = 0; i < n; i++)
      b[i] = a[i]++;
    // CHECK: :[[#@LINE+1]]:1: remark: keeps its clauses: nothing to leave out
#pragma omp target parallel for map(tofrom: a[0:n])
    for (int i = 0; i < n; i++)
      a[i] += 1;
  }
  // One loop uses more than the other, of what may be there in pieces.
  // CHECK: :[[#@LINE+1]]:1: remark: keeps its clauses: nothing to leave out
#pragma omp target parallel for map(tofrom: a[0:10])
  for (int i = 0; i < 10; i++)
    a[i] += 1;
  // CHECK: :[[#@LINE+1]]:1: remark: keeps its clauses: nothing to leave out
#pragma omp target parallel for map(tofrom: a[20:10])
  for (int i = 20; i < 30; i++)
    a[i] += 1;
}
