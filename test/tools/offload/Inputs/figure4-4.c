int A[100], B[100], E[10], F[10];

void f(int a, int k) {
  int C[100], D[100], i, x;
  for (i = 0; i < 100; i++)
    D[i] = i;
  // candidate code section
#pragma omp parallel for lastprivate(x)
  for (i = 0; i < 100; i++) {
    x = a;
    A[i] = B[i];
    C[i] = D[i];
    D[i] = x * i;
  }
  E[k] = A[k] * x;
  F[k] = D[k] * k;
}
