struct pair {
  int first, second;
};
struct pair s;

struct four {
  double v[4];
  double w;
};
static int old(c) unsigned char c; { return c; }

void g(int n, int *a, struct four *restrict four, double *restrict to) {
  // CHECK: :[[#@LINE+3]]:13: remark: not offloaded: leaves the member 'four[i].v'
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    to[i] = four[i].v[4];
  // CHECK: :[[#@LINE+3]]:12: remark: not offloaded: calls 'old', which has no prototype
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    a[i] = old(i);
}

void f(int n, int *a, long double *ld, const _Complex double *z) {
  int of[3] = {2, 7, 1}, most = 0;
  // CHECK: :[[#@LINE+3]]:11: remark: not offloaded: computes with 'long double', which devices do not know
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    ld[i] = i;
  // CHECK: :[[#@LINE+3]]:28: remark: not offloaded: computes with '{{.*}}', which devices do not know
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    a[i] = __builtin_creal(z[i]);
  // CHECK: :[[#@LINE+2]]:26: remark: not offloaded: an offloaded loop cannot have this clause 'reduction'
#pragma omp declare reduction(larger : int : omp_out = omp_out > omp_in ? omp_out : omp_in)
#pragma omp parallel for reduction(larger : most)
  for (int i = 0; i < n; i++)
    most = a[i] > most ? a[i] : most;
  // ACC: :[[#@LINE+1]]:1: remark: not offloaded: OpenACC's compilers copy no arrays for each iteration
#pragma omp parallel for firstprivate(of)
  for (int i = 0; i < n; i++)
    a[i] = of[1];
  // ACC: :[[#@LINE+3]]:14: remark: not offloaded: OpenACC's compilers have no structure 's' on the device as a whole
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    a[i] = s.first;
}
