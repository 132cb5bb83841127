int last(const int *A) {
  int x;
#pragma omp parallel for lastprivate(x)
  for (int i = 30; i < 100; i++)
    x = A[i];
  return x;
}
