//===- Elementwise.h - moves of elements, and few operations ----*- C++ -*-===//

#ifndef BENCH_RUNNER_REFERENCES_ELEMENTWISE_H
#define BENCH_RUNNER_REFERENCES_ELEMENTWISE_H

namespace bench {

inline void vv(Item &at) {
  if (at.isSize(at.real("n"), 1))
    return;
  at.put("c", at.number, at["a"](at.number) * at["b"](at.number));
}

inline void transpose(Item &at, const char *from, const char *to) {
  auto [h, w] = at.integers("h", "w");
  if (at.isSize(double(h) * w, 1))
    return;
  auto [y, x] = at.place(w);
  at.put(to, x * h + y, at[from](at.number));
}
inline void tp(Item &at) { transpose(at, "a", "c"); }
inline void tFlat(Item &at) { transpose(at, "in", "out"); }

inline void invertedTranspose(Item &at) {
  auto [h, w] = at.integers("h", "w");
  if (at.isSize(double(h) * w, 1))
    return;
  auto [y, x] = at.place(w);
  at.put("c", x * h + y, Value(255) - at["a"](at.number));
}

inline void rot90(Item &at) {
  auto [h, w] = at.integers("h", "w");
  if (at.isSize(double(h) * w, 1))
    return;
  auto [y, x] = at.place(w);
  at.put("b", (w - 1 - x) * h + y, at["a"](at.number));
}

inline void perm021(Item &at) {
  auto [a0, a1, a2] = at.integers("a0", "a1", "a2");
  if (at.isSize(double(a0) * a1 * a2, 1))
    return;
  auto [i, j, k] = at.place(a1, a2);
  at.put("out", (i * a2 + k) * a1 + j, at["in"](at.number));
}

inline void im2col(Item &at) {
  auto [C, H, W] = at.integers("C", "H", "W");
  int64_t ow = W - 2, np = (H - 2) * ow;
  if (at.isSize(double(C) * 9 * np, 1))
    return;
  auto [q, p] = at.place(np);
  int64_t row = p / ow + q % 9 / 3, column = p % ow + q % 3;
  at.put("o", at.number, at["a"]((q / 9 * H + row) * W + column));
}

inline void rowcopy(Item &at) {
  auto [n, m] = at.integers("n", "m");
  if (at.isSize(double(n) * m, 1))
    return;
  at.put("b", at.number, at["a"](at.number) * Value(2));
}

inline void upsample(Item &at) {
  auto [h, w] = at.integers("h", "w");
  if (at.isSize(4 * double(h) * w, 1))
    return;
  auto [y, x] = at.place(2 * w);
  at.put("b", at.number, at["a"](y / 2 * w + x / 2));
}

inline void batchnorm(Item &at) {
  auto [N, C, P] = at.integers("N", "C", "P");
  if (at.isSize(double(N) * C * P, 5))
    return;
  auto [n, c, p] = at.place(C, P);
  Value v = at["v"](c);
  at.put("x", at.number,
         (at["x"](at.number) - at["m"](c)) * rsqrt(v * v + Value(1)));
}

inline void floyd(Item &at) {
  auto [n, k] = at.integers("n", "k");
  if (at.isSize(double(n) * n, 2))
    return;
  auto [y, x] = at.place(n);
  auto d = at["d"];
  Value old = d(at.number);
  at.put("d", at.number,
         x == k || y == k ? old : min(old, d(y * n + k) + d(k * n + x)));
}

inline void luStep(Item &at) {
  auto [n, k] = at.integers("n", "k");
  if (at.isSize(double(n) * n, 2))
    return;
  auto [y, x] = at.place(n);
  auto a = at["a"];
  Value old = a(at.number);
  at.put("a", at.number,
         x > k && y > k ? old - a(y * n + k) * a(k * n + x) : old);
}

inline void gemver1(Item &at) {
  auto [n] = at.integers("n");
  if (at.isSize(double(n) * n, 4))
    return;
  auto [i, j] = at.place(n);
  at.put("A", at.number,
         at["A"](at.number) +
             (at["u1"](i) * at["v1"](j) + at["u2"](i) * at["v2"](j)));
}

inline const ReferenceTable &elementwiseReferences() {
  static const ReferenceTable table = {{"vv", vv},
                                       {"tp", tp},
                                       {"sh_t", tp},
                                       {"t_flat", tFlat},
                                       {"u8t", invertedTranspose},
                                       {"rot90", rot90},
                                       {"perm021", perm021},
                                       {"im2col", im2col},
                                       {"rowcopy", rowcopy},
                                       {"upsample", upsample},
                                       {"batchnorm", batchnorm},
                                       {"floyd", floyd},
                                       {"lu_step", luStep},
                                       {"gemver1", gemver1}};
  return table;
}

} // namespace bench

#endif // BENCH_RUNNER_REFERENCES_ELEMENTWISE_H
