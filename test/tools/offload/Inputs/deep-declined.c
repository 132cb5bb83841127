#define DATA s->data
struct vector {
  int n;
  double *data;
  struct vector *next;
};
union number {
  double value;
  double *data;
};

void f(struct vector *s, struct vector *all, union number *u, double **rows, int n, struct vector *volatile *v) {
  // Another one in each iteration.
  // CHECK: :[[#@LINE+3]]:12: remark: not offloaded: 'all[i].data' is a pointer in memory
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    all[i].data[0] = 1;
  // CHECK: :[[#@LINE+3]]:5: remark: not offloaded: 'rows[i]' is a pointer in memory
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    rows[i][0] = 1;
  // The loop stores such a pointer, or may.
  // CHECK: :[[#@LINE+3]]:8: remark: not offloaded: 's->data' is a pointer in memory
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
    s->data[i] = 1;
    all[i + 1].data = 0;
  }
  // CHECK: :[[#@LINE+3]]:8: remark: not offloaded: 'u->data' is a pointer in memory
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    u->data[i] = 1;
  // CHECK: :[[#@LINE+3]]:5: remark: not offloaded: 's->data' is a pointer in memory
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    DATA[i] = 1;
  // The element may not exist, and so the pointer may not.
  // CHECK: :[[#@LINE+4]]:7: remark: not offloaded: cannot tell which elements of 's->next->data' exist and are used
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    if (rows)
      s->next->data[i] = 1;
  // An address is none of the device's.
  // CHECK: :[[#@LINE+3]]:21: remark: not offloaded: uses the address in 's->next', which is another one on the device
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    s->data[i] = s->next != 0;
}
