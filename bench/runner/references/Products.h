//===- Products.h - matrix products and what is like them -------*- C++ -*-===//

#ifndef BENCH_RUNNER_REFERENCES_PRODUCTS_H
#define BENCH_RUNNER_REFERENCES_PRODUCTS_H

namespace bench {

/// C[m][n] = A[m][k] B[k][n], whatever the arrays are called.
inline void product(Item &at, const char *a, const char *b, const char *c) {
  auto [m, n, k] = at.integers("m", "n", "k");
  if (at.isSize(double(m) * n, k))
    return;
  auto [y, x] = at.place(n);
  auto A = at[a], B = at[b];
  Value s;
  for (int64_t i = 0; i < k; ++i)
    s += A(y * k + i) * B(i * n + x);
  at.put(c, at.number, s);
}

inline void productOfRows(Item &at) { product(at, "a", "b", "c"); }

inline void abt(Item &at) {
  auto [m, n, k] = at.integers("m", "n", "k");
  if (at.isSize(double(m) * n, k))
    return;
  auto [y, x] = at.place(n);
  auto A = at["A"], B = at["B"];
  Value s;
  for (int64_t i = 0; i < k; ++i)
    s += A(y * k + i) * B(x * k + i);
  at.put("C", at.number, s);
}

inline void atb(Item &at) {
  auto [m, n, k] = at.integers("m", "n", "k");
  if (at.isSize(double(m) * n, k))
    return;
  auto [y, x] = at.place(n);
  auto A = at["A"], B = at["B"];
  Value s;
  for (int64_t i = 0; i < k; ++i)
    s += A(i * m + y) * B(i * n + x);
  at.put("C", at.number, s);
}

inline void bgemm(Item &at) {
  auto [m, n, k, batch] = at.integers("m", "n", "k", "batch");
  if (at.isSize(double(batch) * m * n, k))
    return;
  auto [z, y, x] = at.place(m, n);
  auto A = at["A"], B = at["B"];
  Value s;
  for (int64_t i = 0; i < k; ++i)
    s += A((z * m + y) * k + i) * B((z * k + i) * n + x);
  at.put("C", at.number, s);
}

/// Elements between the matrices are nobody's.
inline void bgemmStrided(Item &at) {
  auto [m, n, k, batch] = at.integers("m", "n", "k", "batch");
  if (at.isSize(double(batch) * m * n, k))
    return;
  auto [z, y, x] = at.place(m, n);
  int64_t a = z * at.integer("sa"), b = z * at.integer("sb");
  auto A = at["A"], B = at["B"];
  Value s;
  for (int64_t i = 0; i < k; ++i)
    s += A(a + y * k + i) * B(b + i * n + x);
  at.put("C", z * at.integer("sc") + y * n + x, s);
}

inline void constMM(Item &at) {
  auto [m] = at.integers("m");
  if (at.isSize(double(m) * 128, 96))
    return;
  auto [y, x] = at.place(128);
  auto A = at["a"], B = at["b"];
  Value s;
  for (int64_t i = 0; i < 96; ++i)
    s += A(y * 96 + i) * B(i * 128 + x);
  at.put("c", at.number, s);
}

inline void conv1x1(Item &at) {
  auto [P, C, K] = at.integers("P", "C", "K");
  if (at.isSize(double(P) * K, C))
    return;
  auto [p, k] = at.place(K);
  auto in = at["in"], wt = at["wt"];
  Value s;
  for (int64_t c = 0; c < C; ++c)
    s += in(p * C + c) * wt(k * C + c);
  at.put("out", at.number, s.value > 0 ? s : s * Value(0.1f));
}

inline void doitgen(Item &at) {
  auto [nr, nq, np] = at.integers("nr", "nq", "np");
  if (at.isSize(double(nr) * nq * np, np))
    return;
  auto [row, p] = at.place(np);
  auto A = at["A"], C4 = at["C4"];
  Value total;
  for (int64_t s = 0; s < np; ++s)
    total += A(row * np + s) * C4(s * np + p);
  at.put("sum", at.number, total);
}

inline void attn(Item &at) {
  auto [B, H, S, D] = at.integers("B", "H", "S", "D");
  if (at.isSize(double(B) * H * S * S, D))
    return;
  auto [b, h, i, j] = at.place(H, S, S);
  auto q = at["q"], k = at["k"];
  Value s;
  for (int64_t d = 0; d < D; ++d)
    s += q(((b * S + i) * H + h) * D + d) * k(((b * S + j) * H + h) * D + d);
  at.put("o", at.number, j <= i ? s * rsqrt(Value(double(D))) : Value(-1e30f));
}

inline void minplus(Item &at) {
  auto [n] = at.integers("n");
  if (at.isSize(double(n) * n, n))
    return;
  auto [y, x] = at.place(n);
  auto a = at["a"];
  int64_t least = 0x7fffffff;
  for (int64_t k = 0; k < n; ++k)
    least = std::min(least, (int64_t(a(y * n + k).value) & 1023) +
                                (int64_t(a(k * n + x).value) & 1023));
  at.put("c", at.number, double(least));
}

inline void mm2out(Item &at) {
  auto [m, n, k] = at.integers("m", "n", "k");
  if (at.isSize(double(m) * n, k))
    return;
  auto [y, x] = at.place(n);
  auto a = at["a"], b = at["b"];
  Value s, most;
  for (int64_t i = 0; i < k; ++i) {
    Value t = a(y * k + i) * b(i * n + x);
    s += t;
    most = max(most, t);
  }
  at.put("c", at.number, s);
  at.put("d", x * m + y, most);
}

inline void mmAcc(Item &at) {
  auto [m, n, k] = at.integers("m", "n", "k");
  if (at.isSize(double(m) * n, k))
    return;
  auto [y, x] = at.place(n);
  auto a = at["a"], b = at["b"];
  Value s = at["c"](at.number) * Value(at.real("beta"));
  for (int64_t i = 0; i < k; ++i)
    s += Value(at.real("alpha")) * (a(y * k + i) * b(i * n + x));
  at.put("c", at.number, s);
}

/// Rows may be longer than what is used of them; the rest stays.
inline void mmLd(Item &at) {
  auto [m, n, k, lda, ldb, ldc] =
      at.integers("m", "n", "k", "lda", "ldb", "ldc");
  if (at.isSize(double(m) * n, k))
    return;
  auto [y, x] = at.place(n);
  auto a = at["a"], b = at["b"];
  Value s;
  for (int64_t i = 0; i < k; ++i)
    s += a(y * lda + i) * b(i * ldb + x);
  at.put("c", y * ldc + x, s);
}

inline void pairdist(Item &at) {
  auto [n, m, d] = at.integers("n", "m", "d");
  if (at.isSize(double(n) * m, d))
    return;
  auto [i, j] = at.place(m);
  auto a = at["a"], b = at["b"];
  Value s;
  for (int64_t k = 0; k < d; ++k) {
    Value t = a(i * d + k) - b(j * d + k);
    s += t * t;
  }
  at.put("o", at.number, sqrt(s));
}

inline void syrk(Item &at) {
  auto [n, m] = at.integers("n", "m");
  if (at.isSize(double(n) * n, m))
    return;
  auto [i, j] = at.place(n);
  auto A = at["A"];
  Value c = at["C"](at.number);
  if (j <= i) {
    c = c * Value(at.real("beta"));
    for (int64_t k = 0; k < m; ++k)
      c += Value(at.real("alpha")) * A(i * m + k) * A(j * m + k);
  }
  at.put("C", at.number, c);
}

inline void syr2k(Item &at) {
  auto [n, m] = at.integers("n", "m");
  if (at.isSize(double(n) * n, 2 * m))
    return;
  auto [i, j] = at.place(n);
  auto A = at["A"], B = at["B"];
  Value alpha = at.real("alpha");
  Value c = at["C"](at.number) * Value(at.real("beta"));
  for (int64_t k = 0; k < m; ++k) {
    c += alpha * A(i * m + k) * B(j * m + k);
    c += alpha * B(i * m + k) * A(j * m + k);
  }
  at.put("C", at.number, c);
}

inline void trmm(Item &at) {
  auto [m, n] = at.integers("m", "n");
  if (at.isSize(double(m) * n, m / 2))
    return;
  auto [i, j] = at.place(n);
  auto A = at["A"], B = at["B"];
  Value s = B(at.number);
  for (int64_t k = i + 1; k < m; ++k)
    s += A(k * m + i) * B(k * n + j);
  at.put("C", at.number, s);
}

inline void cholUpdate(Item &at) {
  auto [n, k] = at.integers("n", "k");
  if (at.isSize(double(n) * n, k))
    return;
  auto [i, j] = at.place(n);
  auto A = at["A"];
  Value s;
  bool isTrailing = j >= k && j <= i;
  for (int64_t p = 0; isTrailing && p < k; ++p)
    s += A(i * n + p) * A(j * n + p);
  at.put("A", at.number, isTrailing ? A(at.number) - s : A(at.number));
}

inline void covar(Item &at) {
  auto [n, m] = at.integers("n", "m");
  if (at.isSize(double(m) * m, n))
    return;
  auto [p, q] = at.place(m);
  auto data = at["data"];
  Value s;
  for (int64_t i = 0; i < n; ++i)
    s += data(i * m + p) * data(i * m + q);
  at.put("sym", at.number, s);
}

inline void corr(Item &at) {
  auto [n, m] = at.integers("n", "m");
  if (at.isSize(double(m) * m, 4 * n))
    return;
  auto [y, x] = at.place(m);
  auto data = at["data"], mean = at["mean"], dev = at["dev"];
  Value root = sqrt(Value(double(n))), s;
  for (int64_t i = 0; i < n; ++i)
    s += (data(i * m + x) - mean(x)) / (root * (dev(x) + 1)) *
         ((data(i * m + y) - mean(y)) / (root * (dev(y) + 1)));
  at.put("cor", at.number, x == y ? Value(1) : s);
}

/// One column. `dominant` rows keep errors of earlier rows from growing: the
/// other elements of a row sum up to less than half of the diagonal's.
inline void strsm(Item &at) {
  auto [m, n] = at.integers("m", "n");
  if (at.isSize(double(n), double(m) * m / 2))
    return;
  auto l = at["l"], b = at["b"];
  std::vector<Value> x(m);
  for (int64_t i = 0; i < m; ++i) {
    Value rest = b(i * n + at.number);
    for (int64_t j = 0; j < i; ++j)
      rest -= l(i * m + j) * x[j];
    x[i] = rest / l(i * m + i);
    at.put("b", i * n + at.number, x[i]);
  }
}

inline const ReferenceTable &productReferences() {
  static const ReferenceTable table = {{"mm", productOfRows},
                                       {"abt", abt},
                                       {"atb", atb},
                                       {"attn", attn},
                                       {"bgemm", bgemm},
                                       {"bgemm_s", bgemmStrided},
                                       {"const_mm", constMM},
                                       {"conv1x1_nhwc", conv1x1},
                                       {"doitgen", doitgen},
                                       {"minplus", minplus},
                                       {"mm_2out", mm2out},
                                       {"mm_acc", mmAcc},
                                       {"mm_col", productOfRows},
                                       {"mm_gs", productOfRows},
                                       {"mm_ld", mmLd},
                                       {"sh_mm", productOfRows},
                                       {"hmm", productOfRows},
                                       {"i64mm", productOfRows},
                                       {"pairdist", pairdist},
                                       {"syrk", syrk},
                                       {"syr2k", syr2k},
                                       {"trmm", trmm},
                                       {"chol_upd", cholUpdate},
                                       {"covar", covar},
                                       {"corr", corr},
                                       {"strsm", strsm}};
  return table;
}

} // namespace bench

#endif // BENCH_RUNNER_REFERENCES_PRODUCTS_H
