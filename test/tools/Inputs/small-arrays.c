// Arrays with few elements, as the smallest data sets of benchmarks have them.

void first(int n, float a[4][4]) {
#pragma acc parallel loop
  for (int i = 0; i < n; ++i)
    for (int j = i; j < n; ++j)
      a[i][j] *= 2;
}

void second(int n, float a[2][2]) {
#pragma acc parallel loop
  for (int i = 0; i < n; ++i)
    for (int j = i; j < n; ++j)
      a[i][j] *= 2;
}
