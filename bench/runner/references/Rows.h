//===- Rows.h - kernels whose items are rows --------------------*- C++ -*-===//

#ifndef BENCH_RUNNER_REFERENCES_ROWS_H
#define BENCH_RUNNER_REFERENCES_ROWS_H

namespace bench {

/// The first of the largest elements.
inline void argmaxRow(Item &at) {
  auto [n, m] = at.integers("n", "m");
  if (at.isSize(double(n), double(m)))
    return;
  auto a = at["a"];
  int64_t most = 0;
  for (int64_t j = 1; j < m; ++j)
    if (a(at.number * m + j).value > a(at.number * m + most).value)
      most = j;
  at.put("v", at.number, a(at.number * m + most));
  at.put("ix", at.number, double(most));
}

inline void layernorm(Item &at) {
  auto [n, m] = at.integers("n", "m");
  if (at.isSize(double(n), 4 * double(m)))
    return;
  int64_t row = at.number * m;
  auto a = at["a"], g = at["g"], be = at["be"];
  Value s, s2, length = double(m);
  for (int64_t j = 0; j < m; ++j) {
    s += a(row + j);
    s2 += a(row + j) * a(row + j);
  }
  Value mean = s / length;
  Value inverse = rsqrt(s2 / length - mean * mean + Value(1e-1f));
  for (int64_t j = 0; j < m; ++j)
    at.put("b", row + j, (a(row + j) - mean) * inverse * g(j) + be(j));
}

inline void softmaxRow(Item &at) {
  auto [n, m] = at.integers("n", "m");
  if (at.isSize(double(n), 20 * double(m)))
    return;
  int64_t row = at.number * m;
  auto a = at["a"];
  Value most = a(row), s;
  for (int64_t j = 1; j < m; ++j)
    most = max(most, a(row + j));
  std::vector<Value> power(m);
  for (int64_t j = 0; j < m; ++j)
    s += power[j] = exp(a(row + j) - most);
  for (int64_t j = 0; j < m; ++j)
    at.put("b", row + j, power[j] / s);
}

inline const ReferenceTable &rowReferences() {
  static const ReferenceTable table = {{"argmax_r", argmaxRow},
                                       {"layernorm", layernorm},
                                       {"softmax_r", softmaxRow}};
  return table;
}

} // namespace bench

#endif // BENCH_RUNNER_REFERENCES_ROWS_H
