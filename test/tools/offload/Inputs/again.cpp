double total;
static const int rounds[] = {1, 2, 3};
void f(const double *b) {
  double v[10] = {};
  for (int round : rounds) {
    total += v[round];
#pragma omp parallel for
    for (int i = 0; i < 10; i++)
      v[i] = b[i] * 2;
  }
}
