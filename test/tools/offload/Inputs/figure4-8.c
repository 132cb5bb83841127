void steps(int n, double *restrict A, double *restrict B, double *restrict C, double *restrict D) {
  int i, j;
  for (j = 0; j < 100; j++) {
#pragma omp parallel for shared(A,B,C) private(i)
    for (i = 0; i < n; i++) {
      A[i] = B[i] * C[i];
    }
#pragma omp parallel for shared(A,B,D) private(i)
    for (i = 0; i < n; i++) {
      D[i] = A[i] + B[i];
    }
  }
}
