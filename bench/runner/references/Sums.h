//===- Sums.h - sums over all or a part of an array -------------*- C++ -*-===//

#ifndef BENCH_RUNNER_REFERENCES_SUMS_H
#define BENCH_RUNNER_REFERENCES_SUMS_H

namespace bench {

inline void mv(Item &at) {
  auto [h, w] = at.integers("h", "w");
  if (at.isSize(double(h), double(w)))
    return;
  auto a = at["a"], b = at["b"];
  Value s;
  for (int64_t i = 0; i < w; ++i)
    s += a(at.number * w + i) * b(i);
  at.put("c", at.number, s);
}

inline void tmv(Item &at) {
  auto [h, w] = at.integers("h", "w");
  if (at.isSize(double(w), double(h)))
    return;
  auto a = at["a"], b = at["b"];
  Value s;
  for (int64_t i = 0; i < h; ++i)
    s += a(i * w + at.number) * b(i);
  at.put("c", at.number, s);
}

/// Only a[0] is a result: the rest is a tree of partial sums.
inline void rd(Item &at) {
  auto [n] = at.integers("n");
  if (at.isSize(1, double(n)))
    return;
  auto a = at["a"];
  Value s;
  for (int64_t i = 0; i < n; ++i)
    s += a(i);
  at.put("a", 0, s);
}

inline void crd(Item &at) {
  auto [n] = at.integers("n");
  if (at.isSize(1, 2 * double(n)))
    return;
  auto a = at["a"];
  Value s;
  for (int64_t i = 0; i < 2 * n; ++i)
    s += abs(a(i));
  at.put("r", 0, s);
}

inline void dot(Item &at) {
  auto [n] = at.integers("n");
  if (at.isSize(1, 2 * double(n)))
    return;
  auto a = at["a"], b = at["b"];
  Value s;
  for (int64_t i = 0; i < n; ++i)
    s += a(i) * b(i);
  at.put("r", 0, s);
}

inline void bandmv(Item &at) {
  auto [n, kl] = at.integers("n", "kl");
  if (at.isSize(double(n), 2 * kl + 1))
    return;
  int64_t i = at.number;
  auto ab = at["ab"], x = at["x"];
  Value s;
  for (int64_t j = std::max<int64_t>(0, i - kl); j <= std::min(n - 1, i + kl);
       ++j)
    s += ab(i * (2 * kl + 1) + j - i + kl) * x(j);
  at.put("y", i, s);
}

inline void bicg(Item &at) {
  auto [n, m] = at.integers("n", "m");
  if (at.isSize(double(n) + m, double(std::max(n, m))))
    return;
  auto A = at["A"], p = at["p"], r = at["r"];
  Value total;
  if (at.number < n) {
    for (int64_t j = 0; j < m; ++j)
      total += A(at.number * m + j) * p(j);
    at.put("q", at.number, total);
    return;
  }
  int64_t column = at.number - n;
  for (int64_t i = 0; i < n; ++i)
    total += r(i) * A(i * m + column);
  at.put("s", column, total);
}

inline void gemver2(Item &at) {
  auto [n] = at.integers("n");
  if (at.isSize(double(n), double(n)))
    return;
  auto A = at["A"], y = at["y"];
  Value x = at["x"](at.number);
  for (int64_t j = 0; j < n; ++j)
    x += Value(at.real("beta")) * A(j * n + at.number) * y(j);
  at.put("x", at.number, x + at["z"](at.number));
}

inline void gesummv(Item &at) {
  auto [n] = at.integers("n");
  if (at.isSize(double(n), 2 * double(n)))
    return;
  int64_t i = at.number;
  auto A = at["A"], B = at["B"], x = at["x"];
  Value tmp = at["tmp"](i), y = at["y"](i);
  for (int64_t j = 0; j < n; ++j) {
    tmp += A(i * n + j) * x(j);
    y += B(i * n + j) * x(j);
  }
  at.put("tmp", i, tmp);
  at.put("y", i, Value(at.real("alpha")) * tmp + Value(at.real("beta")) * y);
}

inline void spmvEll(Item &at) {
  auto [n, w] = at.integers("n", "w");
  if (at.isSize(double(n), double(w)))
    return;
  auto v = at["v"], ci = at["ci"], x = at["x"];
  Value s;
  for (int64_t j = 0; j < w; ++j)
    s += v(j * n + at.number) * x(int64_t(ci(j * n + at.number).value));
  at.put("y", at.number, s);
}

inline void poly(Item &at) {
  auto [n, m] = at.integers("n", "m");
  if (at.isSize(double(n) + m - 1, double(std::min(n, m))))
    return;
  int64_t x = at.number;
  auto a = at["a"], b = at["b"];
  Value s;
  for (int64_t i = std::max<int64_t>(0, x - m + 1); i <= std::min(x, n - 1);
       ++i)
    s += a(i) * b(x - i);
  at.put("c", x, s);
}

inline void nbody(Item &at) {
  auto [n] = at.integers("n");
  if (at.isSize(double(n), 10 * double(n)))
    return;
  int64_t i = at.number;
  auto px = at["px"], py = at["py"], m = at["m"];
  Value ax, ay;
  for (int64_t j = 0; j < n; ++j) {
    if (j == i)
      continue;
    Value dx = px(j) - px(i), dy = py(j) - py(i);
    Value r = m(j) / (dx * dx + dy * dy + Value(at.real("eps")));
    ax += r * dx;
    ay += r * dy;
  }
  at.put("fx", i, at["fx"](i) + ax);
  at.put("fy", i, at["fy"](i) + ay);
}

/// One class: how many elements are in it.
inline void hist2d(Item &at) {
  auto [n, m] = at.integers("n", "m");
  if (at.isSize(64, double(n) * m))
    return;
  auto a = at["a"];
  double count = at["h"](at.number).value;
  for (int64_t i = 0; i < n * m; ++i)
    count += int64_t(a(i).value) >> 2 == at.number;
  at.put("h", at.number, count);
}

inline const ReferenceTable &sumReferences() {
  static const ReferenceTable table = {
      {"mv", mv},           {"tmv", tmv},
      {"rd", rd},           {"crd", crd},
      {"dot", dot},         {"bandmv", bandmv},
      {"bicg", bicg},       {"gemver2", gemver2},
      {"gesummv", gesummv}, {"spmv_ell", spmvEll},
      {"poly", poly},       {"nbody_soa", nbody},
      {"hist2d", hist2d}};
  return table;
}

} // namespace bench

#endif // BENCH_RUNNER_REFERENCES_SUMS_H
