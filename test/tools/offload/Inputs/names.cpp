namespace N {
int g[50];
}
using namespace N;
int h[50];

void f(int n, int *a) {
  // CHECK: :[[#@LINE+3]]:12: remark: not offloaded: uses 'g', which is in a namespace or a class
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    a[i] = g[i];
  // CHECK: :[[#@LINE+4]]:14: remark: not offloaded: uses 'h', which is in a namespace or a class
  int h = 3;
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    a[i] = ::h[i] + h;
}
