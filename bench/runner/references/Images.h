//===- Images.h - convolutions and other stencils ---------------*- C++ -*-===//
//
// Kernels that leave borders as they are have these as results, too.
//
//===----------------------------------------------------------------------===//

#ifndef BENCH_RUNNER_REFERENCES_IMAGES_H
#define BENCH_RUNNER_REFERENCES_IMAGES_H

namespace bench {

inline void conv(Item &at) {
  auto [h, w, kh, kw] = at.integers("h", "w", "kh", "kw");
  if (at.isSize(double(h) * w, double(kh) * kw))
    return;
  auto [y, x] = at.place(w);
  auto image = at["image"], filter = at["filter"];
  Value s;
  for (int64_t i = 0; i < kh; ++i)
    for (int64_t j = 0; j < kw; ++j)
      s += image((y + i) * (w + kw - 1) + x + j) * filter(i * kw + j);
  at.put("c", at.number, s);
}

inline void convZero(Item &at) {
  auto [h, w, r] = at.integers("h", "w", "r");
  if (at.isSize(double(h) * w, double(2 * r + 1) * (2 * r + 1)))
    return;
  auto [y, x] = at.place(w);
  auto a = at["a"], f = at["f"];
  Value s;
  for (int64_t j = -r; j <= r; ++j)
    for (int64_t i = -r; i <= r; ++i)
      if (y + j >= 0 && y + j < h && x + i >= 0 && x + i < w)
        s += a((y + j) * w + x + i) * f((j + r) * (2 * r + 1) + i + r);
  at.put("b", at.number, s);
}

inline void convLayer(Item &at) {
  auto [N, C, H, W, K] = at.integers("N", "C", "H", "W", "K");
  if (at.isSize(double(N) * K * H * W, 9 * double(C)))
    return;
  auto [n, k, y, x] = at.place(K, H, W);
  auto in = at["in"], wt = at["wt"];
  Value s = at["bias"](k);
  for (int64_t c = 0; c < C; ++c)
    for (int64_t r = 0; r < 3; ++r)
      for (int64_t q = 0; q < 3; ++q) {
        int64_t yy = y + r - 1, xx = x + q - 1;
        if (yy >= 0 && yy < H && xx >= 0 && xx < W)
          s += in(((n * C + c) * H + yy) * W + xx) *
               wt(((k * C + c) * 3 + r) * 3 + q);
      }
  at.put("out", at.number, max(s, Value(0)));
}

/// 3 x 3 weights `f` of planes over rows of `pitch`, from `corner` on, `step`
/// apart.
template <typename Image, typename Filter>
Value threeByThree(Image image, Filter f, int64_t corner, int64_t pitch,
                   int64_t step, int64_t firstWeight = 0) {
  Value s;
  for (int64_t j = 0; j < 3; ++j)
    for (int64_t i = 0; i < 3; ++i)
      s += image(corner + j * step * pitch + i * step) *
           f(firstWeight + j * 3 + i);
  return s;
}

inline void depthwise(Item &at) {
  auto [C, H, W] = at.integers("C", "H", "W");
  if (at.isSize(double(C) * H * W, 9))
    return;
  auto [c, y, x] = at.place(H, W);
  int64_t corner = (c * (H + 2) + y) * (W + 2) + x;
  at.put("out", at.number,
         threeByThree(at["in"], at["wt"], corner, W + 2, 1, c * 9));
}

inline void dilated(Item &at) {
  auto [h, w, d] = at.integers("h", "w", "d");
  if (at.isSize(double(h) * w, 9))
    return;
  auto [y, x] = at.place(w);
  int64_t pitch = w + 2 * d;
  at.put("b", at.number,
         threeByThree(at["a"], at["f"], y * pitch + x, pitch, d));
}

inline void strided(Item &at) {
  auto [h, w] = at.integers("h", "w");
  if (at.isSize(double(h) * w, 9))
    return;
  auto [y, x] = at.place(w);
  int64_t pitch = 2 * w + 1;
  at.put("b", at.number,
         threeByThree(at["a"], at["f"], 2 * y * pitch + 2 * x, pitch, 1));
}

/// One column of nine weights, the last one first.
inline void sepcol(Item &at) {
  auto [h, w] = at.integers("h", "w");
  if (at.isSize(double(h) * w, 9))
    return;
  auto [y, x] = at.place(w);
  auto a = at["a"], f = at["f"];
  Value s;
  for (int64_t j = 0; j < 9; ++j)
    s += a((y + j) * w + x) * f(8 - j);
  at.put("b", at.number, s);
}

inline void stencil1r(Item &at) {
  auto [n, r] = at.integers("n", "r");
  if (at.isSize(double(n), 2 * r + 1))
    return;
  auto a = at["a"], w = at["w"];
  Value s;
  for (int64_t d = 0; d <= 2 * r; ++d)
    s += a(at.number + d) * w(d);
  at.put("b", at.number, s);
}

/// Mean of 25 pixels, those beyond the border being the nearest ones.
inline void clampBlur(Item &at) {
  auto [h, w] = at.integers("h", "w");
  if (at.isSize(double(h) * w, 25))
    return;
  auto [y, x] = at.place(w);
  auto a = at["a"];
  int64_t s = 0;
  for (int64_t j = -2; j <= 2; ++j)
    for (int64_t i = -2; i <= 2; ++i)
      s += int64_t(a(std::clamp<int64_t>(y + j, 0, h - 1) * w +
                     std::clamp<int64_t>(x + i, 0, w - 1))
                       .value);
  at.put("b", at.number, double(s / 25));
}

inline void maxpool(Item &at) {
  auto [h, w] = at.integers("h", "w");
  if (at.isSize(double(h) * w, 4))
    return;
  auto [y, x] = at.place(w);
  auto a = at["a"];
  int64_t corner = 4 * y * w + 2 * x;
  at.put("b", at.number,
         max(max(a(corner), a(corner + 1)),
             max(a(corner + 2 * w), a(corner + 2 * w + 1))));
}

inline void jacobi2(Item &at) {
  auto [n, m] = at.integers("n", "m");
  if (at.isSize(double(n) * m, 5))
    return;
  auto [y, x] = at.place(m);
  auto a = at["a"];
  int64_t c = at.number;
  if (x > 0 && x < m - 1 && y > 0 && y < n - 1)
    at.put("b", c,
           Value(0.2f) * (a(c) + a(c - 1) + a(c + 1) + a(c + m) + a(c - m)));
  else
    at.put("b", c, at["b"](c));
}

inline bool isInner(int64_t i, int64_t n) { return i > 0 && i < n - 1; }

inline void heat3(Item &at) {
  auto [n] = at.integers("n");
  if (at.isSize(double(n) * n * n, 10))
    return;
  auto [i, j, k] = at.place(n, n);
  auto a = at["a"];
  int64_t c = at.number;
  Value s = a(c);
  for (int64_t step : {n * n, n, int64_t(1)})
    if (isInner(i, n) && isInner(j, n) && isInner(k, n))
      s += Value(0.125) * (a(c + step) - Value(2) * a(c) + a(c - step));
  at.put("b", c,
         isInner(i, n) && isInner(j, n) && isInner(k, n) ? s : at["b"](c));
}

inline void heat3March(Item &at) {
  auto [n] = at.integers("n");
  if (at.isSize(double(n) * n * n, 7))
    return;
  auto [z, y, x] = at.place(n, n);
  auto a = at["a"];
  int64_t c = at.number;
  if (isInner(z, n) && isInner(y, n) && isInner(x, n))
    at.put("b", c,
           a(c - n * n) + a(c + n * n) - Value(6) * a(c) + a(c - 1) + a(c + 1) +
               a(c - n) + a(c + n));
  else
    at.put("b", c, at["b"](c));
}

inline void demosaic(Item &at) {
  auto [h, w] = at.integers("h", "w");
  if (at.isSize(double(h) * w, 12))
    return;
  auto [y, x] = at.place(w);
  auto raw = at["raw"];
  int64_t p = w + 2, o = (y + 1) * p + x + 1;
  Value here = raw(o), half = 0.5, quarter = 0.25;
  Value hori = (raw(o - 1) + raw(o + 1)) * half,
        vert = (raw(o - p) + raw(o + p)) * half,
        cross = (raw(o - 1) + raw(o + 1) + raw(o - p) + raw(o + p)) * quarter,
        diag = (raw(o - p - 1) + raw(o - p + 1) + raw(o + p - 1) +
                raw(o + p + 1)) *
               quarter;
  bool oddRow = y % 2, oddColumn = x % 2;
  at.put("red", at.number,
         oddRow ? (oddColumn ? diag : vert) : (oddColumn ? hori : here));
  at.put("green", at.number, oddRow == oddColumn ? cross : here);
  at.put("blue", at.number,
         oddRow ? (oddColumn ? here : hori) : (oddColumn ? vert : diag));
}

inline void imregionmax(Item &at) {
  auto [h, w] = at.integers("h", "w");
  if (at.isSize(double(h) * w, 9))
    return;
  auto [y, x] = at.place(w);
  auto image = at["image"];
  int64_t p = w + 2, corner = y * p + x;
  bool isMost = true;
  for (int64_t i = 0; i < 9; ++i)
    isMost &= i == 4 || image(corner + i / 3 * p + i % 3).value <
                            image(corner + p + 1).value;
  at.put("c", at.number, double(isMost));
}

inline const ReferenceTable &imageReferences() {
  static const ReferenceTable table = {{"conv", conv},
                                       {"conv_zero", convZero},
                                       {"conv_nchw", convLayer},
                                       {"depthwise", depthwise},
                                       {"dilated", dilated},
                                       {"strided", strided},
                                       {"sepcol", sepcol},
                                       {"stencil1r", stencil1r},
                                       {"clamp_blur", clampBlur},
                                       {"maxpool", maxpool},
                                       {"jacobi2", jacobi2},
                                       {"heat3", heat3},
                                       {"heat3_march", heat3March},
                                       {"demosaic", demosaic},
                                       {"imregionmax", imregionmax}};
  return table;
}

} // namespace bench

#endif // BENCH_RUNNER_REFERENCES_IMAGES_H
