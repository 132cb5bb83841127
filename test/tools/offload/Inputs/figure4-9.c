double a[1000], b[1000], m[1000];

void reuse(void) {
#pragma omp parallel for
  for (int i = 0; i < 1000; i++)
    a[i] = m[i];
#pragma omp parallel for
  for (int i = 0; i < 1000; i++)
    b[i] = m[i] * m[i];
}
