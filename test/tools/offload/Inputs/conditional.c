void multiply(int n, double *A, double *B, double *C) {
#pragma gpuopt conditional-offload target map(to: B[0:n], C[0:n]) \
    map(from: A[0:n])
  {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
      A[i] = B[i] * C[i];
  }
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    A[i] = B[i];
#pragma gpuopt conditional-offload target
  A[0] = 0;
}
