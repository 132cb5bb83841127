void multiply(int n, double *A, const double *B, const double *C) {
  int i;
#pragma omp parallel for shared(A,B,C) private(i)
  for (i=0; i<n; i++){
    A[i] = B[i] * C[i]; // as it stands
  }
}
