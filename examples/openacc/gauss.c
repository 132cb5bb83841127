// An image blurred by a 5 x 5 filter.
void gauss(int h, int w, unsigned char in[restrict h + 4][w + 4],
           unsigned char out[restrict h][w]) {
#pragma acc share(in[TBY][TBX])
#pragma acc parallel loop collapse(2)
  for (int i = 0; i < h; ++i)
    for (int j = 0; j < w; ++j)
      out[i][j] =
          (1 * in[i][j] + 4 * in[i][j + 1] + 7 * in[i][j + 2] +
           4 * in[i][j + 3] + 1 * in[i][j + 4] + 4 * in[i + 1][j] +
           16 * in[i + 1][j + 1] + 26 * in[i + 1][j + 2] +
           16 * in[i + 1][j + 3] + 4 * in[i + 1][j + 4] + 7 * in[i + 2][j] +
           26 * in[i + 2][j + 1] + 41 * in[i + 2][j + 2] +
           26 * in[i + 2][j + 3] + 7 * in[i + 2][j + 4] + 4 * in[i + 3][j] +
           16 * in[i + 3][j + 1] + 26 * in[i + 3][j + 2] +
           16 * in[i + 3][j + 3] + 4 * in[i + 3][j + 4] + 1 * in[i + 4][j] +
           4 * in[i + 4][j + 1] + 7 * in[i + 4][j + 2] + 4 * in[i + 4][j + 3] +
           1 * in[i + 4][j + 4]) /
          273;
}
