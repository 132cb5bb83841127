// Matrix transpose: either loads or stores are not coalesced.
void mt(int n, int m, float out[restrict m][n], float in[restrict n][m]) {
#pragma acc share(in[TBX][TBY])
#pragma acc parallel loop collapse(2)
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j)
      out[i][j] = in[j][i];
}
