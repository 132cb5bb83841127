// General matrix product, as in figure 2 (a) of Li et al. 2016.
void gemm(int n, float A[restrict n][n], float B[restrict n][n],
          float C[restrict n][n]) {
#pragma acc share(A[TBY][*] : coalesce, B[*][TBX])
#pragma acc kernels loop independent
  for (int i = 0; i < n; ++i) {
#pragma acc loop independent
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int k = 0; k < n; ++k)
        sum += A[i][k] * B[k][j];
      C[i][j] = sum;
    }
  }
}
