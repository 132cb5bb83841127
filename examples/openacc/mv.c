// Matrix times vector.
void mv(int n, int m, float A[restrict n][m], float x[restrict m],
        float y[restrict n]) {
#pragma acc share(A[TBX][*] : coalesce, x[*])
#pragma acc parallel loop
  for (int i = 0; i < n; ++i) {
    float sum = 0;
    for (int j = 0; j < m; ++j)
      sum += A[i][j] * x[j];
    y[i] = sum;
  }
}
