void multiply(int n, double *A, double *B, double *C) {
  int i;
#pragma gpuopt conditional-offload target(mic) in(B,C:length(n)) out(A:length(n))
  {
#pragma omp parallel for shared(A,B,C) private(i)
    for (i=0; i<n; i++){
      A[i] = B[i] * C[i];
    }
  }
}
