struct node {
  double *data;
  int n;
};
int shared_counter;
int unseen(int);
int self(int n) { return n ? self(n - 1) : 0; }
int uses_global(int n) { return n + shared_counter; }

void f(int n, double *a, double *b, struct node *s, double **rows, int *index,
       const int *mask, double *swap) {
  double last, t[10];
  // CHECK: :[[#@LINE+3]]:12: remark: not offloaded: calls 'unseen', whose body is not in this file
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    a[i] = unseen(i);
  // CHECK: :7:30: remark: not offloaded: calls 'self', which calls itself
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    a[i] = self(i);
  // CHECK: :8:37: remark: not offloaded: uses 'shared_counter', a global variable, in a function that it calls
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    a[i] = uses_global(i);
  // CHECK: :[[#@LINE+3]]:5: remark: not offloaded: cannot tell which elements of 'a' exist and are used
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    a[index[i]] = 1;
  // An element that only a condition leads to may not exist.
  // CHECK: :[[#@LINE+4]]:7: remark: not offloaded: cannot tell which elements of 'a' exist and are used
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    if (mask[i])
      a[i] = 1;
  // CHECK: :[[#@LINE+3]]:10: remark: not offloaded: 's[i].data' is a pointer in memory
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    s[i].data[0] = 1;
  // CHECK: :[[#@LINE+3]]:5: remark: not offloaded: 'rows[i]' is a pointer in memory
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    rows[i][0] = 1;
  // CHECK: :[[#@LINE+3]]:5: remark: not offloaded: writes 'last', which all iterations share
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    last = a[i];
  // CHECK: :[[#@LINE+5]]:12: remark: not offloaded: cannot tell which memory 'swap' points to
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
    if (i == 3)
      swap = a;
    b[i] = swap[i];
  }
  // CHECK: :[[#@LINE+3]]:18: remark: not offloaded: takes the address of 'last'
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
    double *p = &last;
    *p = i;
  }
  // CHECK: :[[#@LINE+3]]:1: remark: not offloaded: a device does not know the order of threads that 'critical' asks for
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
#pragma omp critical
    a[0] += i;
  }
  // CHECK: :[[#@LINE+1]]:26: remark: not offloaded: an offloaded loop cannot have this clause 'ordered'
#pragma omp parallel for ordered
  for (int i = 0; i < n; i++) {
#pragma omp ordered
    a[i] = b[i];
  }
  // CHECK: :[[#@LINE+6]]:14: remark: not offloaded: each thread has its own 'mine', and changes what it was
#pragma omp parallel
  {
    int mine = 0;
#pragma omp for
    for (int i = 0; i < n; i++)
      a[i] = mine++;
  }
  // What is written through a pointer may be n itself.
  // CHECK: :[[#@LINE+3]]:16: remark: not offloaded: uses 'shared_counter', which what it writes through pointers may be
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    index[i] = shared_counter;
  // CHECK: :[[#@LINE+3]]:1: remark: not offloaded: a macro, another file or an '#if' has a part of this loop
#define LOOP for (int i = 0; i < n; i++) \
    b[i] = i;
#pragma omp parallel for
  LOOP
}
