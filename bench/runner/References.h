//===- References.h - what the kernels compute, in float64 ------*- C++ -*-===//
//
// One plain function for each kernel of examples/unified.cu: the results of one
// work item, straight from the definition, in double precision.
//
// Each result comes with the sum of the magnitudes of its terms and their
// number, from which follows how far any order of float32 operations may be
// from it: |error| <= terms * 2^-24 * magnitude, to first order (Higham,
// Accuracy and Stability of Numerical Algorithms, section 3.1).
//
//===----------------------------------------------------------------------===//

#ifndef BENCH_RUNNER_REFERENCES_H
#define BENCH_RUNNER_REFERENCES_H

#include "Plan.h"

#include <cmath>

namespace bench {

/// What one element of an output must be.
struct Expected {
  uint32_t array = 0;
  uint64_t element = 0;
  double value = 0;
  /// How far a result may be from it.
  double bound = 0;
};

/// The contents of the arrays before the launch, in the case's order.
using HostArrays = std::vector<std::vector<float>>;

class Reference {
public:
  Reference(const Case &entry, const HostArrays &arrays)
      : entry(entry), arrays(arrays) {
    static const std::map<std::string, Function> functions = {
        {"mm", &Reference::mm},
        {"mv", &Reference::mv},
        {"tmv", &Reference::tmv},
        {"vv", &Reference::vv},
        {"rd", &Reference::rd},
        {"crd", &Reference::crd},
        {"strsm", &Reference::strsm},
        {"conv", &Reference::conv},
        {"tp", &Reference::tp},
        {"demosaic", &Reference::demosaic},
        {"imregionmax", &Reference::imregionmax}};
    auto found = functions.find(entry.kernel);
    if (found == functions.end())
      throw std::runtime_error("no reference for kernel '" + entry.kernel +
                               "'");
    function = found->second;
    (this->*function)(0, nullptr);
  }

  /// Work items that together make all results, and operations of each.
  uint64_t items() const { return itemCount; }
  double operations() const { return operationsPerItem; }

  void compute(uint64_t item, std::vector<Expected> &results) {
    (this->*function)(item, &results);
  }

private:
  using Results = std::vector<Expected> *;
  using Function = void (Reference::*)(uint64_t, Results);

  int64_t scalar(const char *name) const { return entry.scalars.at(name); }
  const float *data(const char *name) const {
    return arrays[entry.arrayNumber(name)].data();
  }
  /// Without results: tells the size of the problem.
  bool isSize(Results results, uint64_t count, double each) {
    if (!results) {
      itemCount = count;
      operationsPerItem = each;
    }
    return !results;
  }
  void add(Results results, const char *array, uint64_t element, double value,
           double magnitude, double terms) const {
    double bound = (terms + 4) * 0x1p-24 * magnitude + 1e-37;
    results->push_back(
        {uint32_t(entry.arrayNumber(array)), element, value, bound});
  }

  void mm(uint64_t item, Results results) {
    uint64_t m = scalar("m"), n = scalar("n"), k = scalar("k");
    if (isSize(results, m * n, k))
      return;
    const float *a = data("a") + item / n * k, *b = data("b") + item % n;
    dot(results, item, k, [=](uint64_t i) { return double(a[i]) * b[i * n]; });
  }
  void mv(uint64_t item, Results results) {
    uint64_t h = scalar("h"), w = scalar("w");
    if (isSize(results, h, w))
      return;
    const float *a = data("a") + item * w, *b = data("b");
    dot(results, item, w, [=](uint64_t i) { return double(a[i]) * b[i]; });
  }
  void tmv(uint64_t item, Results results) {
    uint64_t h = scalar("h"), w = scalar("w");
    if (isSize(results, w, h))
      return;
    const float *a = data("a") + item, *b = data("b");
    dot(results, item, h, [=](uint64_t i) { return double(a[i * w]) * b[i]; });
  }
  void vv(uint64_t item, Results results) {
    if (isSize(results, scalar("n"), 1))
      return;
    dot(results, item, 1,
        [&](uint64_t) { return double(data("a")[item]) * data("b")[item]; });
  }
  void rd(uint64_t, Results results) {
    uint64_t n = scalar("n");
    if (isSize(results, 1, n))
      return;
    const float *a = data("a");
    dot(results, 0, n, [=](uint64_t i) { return double(a[i]); }, "a");
  }
  void crd(uint64_t, Results results) {
    uint64_t n = scalar("n");
    if (isSize(results, 1, 2 * n))
      return;
    const float *a = data("a");
    dot(
        results, 0, 2 * n, [=](uint64_t i) { return std::fabs(double(a[i])); },
        "r");
  }
  /// One column. `dominant` rows keep errors of earlier rows from growing:
  /// the other elements of a row sum up to less than half of the diagonal's.
  void strsm(uint64_t item, Results results) {
    uint64_t m = scalar("m"), n = scalar("n");
    if (isSize(results, n, double(m) * m / 2))
      return;
    const float *l = data("l"), *b = data("b");
    std::vector<double> x(m);
    double largest = 0;
    for (uint64_t i = 0; i < m; ++i) {
      double sum = b[i * n + item], magnitude = std::fabs(sum),
             diagonal = l[i * m + i];
      for (uint64_t j = 0; j < i; ++j) {
        sum -= l[i * m + j] * x[j];
        magnitude += std::fabs(l[i * m + j] * x[j]);
      }
      x[i] = sum / diagonal;
      largest = std::max(largest, magnitude / std::fabs(diagonal));
      add(results, "b", i * n + item, x[i], 2 * largest, double(i));
    }
  }
  void conv(uint64_t item, Results results) {
    uint64_t h = scalar("h"), w = scalar("w"), kh = scalar("kh"),
             kw = scalar("kw");
    if (isSize(results, h * w, kh * kw))
      return;
    const float *image = data("image") + item / w * (w + kw - 1) + item % w;
    const float *filter = data("filter");
    dot(results, item, kh * kw, [=](uint64_t i) {
      return double(image[i / kw * (w + kw - 1) + i % kw]) * filter[i];
    });
  }
  void tp(uint64_t item, Results results) {
    uint64_t h = scalar("h"), w = scalar("w");
    if (isSize(results, h * w, 1))
      return;
    add(results, "c", item % w * h + item / w, data("a")[item], 0, 0);
  }
  void demosaic(uint64_t item, Results results) {
    uint64_t h = scalar("h"), w = scalar("w"), p = w + 2;
    if (isSize(results, h * w, 12))
      return;
    const float *at = data("raw") + (item / w + 1) * p + item % w + 1;
    auto mean = [](std::initializer_list<double> values) {
      double sum = 0;
      for (double value : values)
        sum += value;
      return sum / values.size();
    };
    const float *up = at - p, *down = at + p;
    double here = *at, horizontal = mean({at[-1], at[1]}),
           vertical = mean({*up, *down});
    double cross = mean({at[-1], at[1], *up, *down});
    double diagonal = mean({up[-1], up[1], down[-1], down[1]});
    bool oddRow = item / w % 2, oddColumn = item % w % 2;
    double red = !oddRow ? (!oddColumn ? here : horizontal)
                         : (!oddColumn ? vertical : diagonal);
    double blue = !oddRow ? (!oddColumn ? diagonal : vertical)
                          : (!oddColumn ? horizontal : here);
    add(results, "red", item, red, 1, 4);
    add(results, "green", item, oddRow == oddColumn ? cross : here, 1, 4);
    add(results, "blue", item, blue, 1, 4);
  }
  void imregionmax(uint64_t item, Results results) {
    uint64_t h = scalar("h"), w = scalar("w"), p = w + 2;
    if (isSize(results, h * w, 9))
      return;
    const float *corner = data("image") + item / w * p + item % w;
    bool isMost = true;
    for (uint64_t i = 0; i < 9; ++i)
      isMost &= i == 4 || corner[i / 3 * p + i % 3] < corner[p + 1];
    add(results, "c", item, isMost, 0, 0);
  }

  template <typename Term>
  void dot(Results results, uint64_t element, uint64_t terms, Term term,
           const char *array = "c") {
    double sum = 0, magnitude = 0;
    for (uint64_t i = 0; i < terms; ++i) {
      double value = term(i);
      sum += value;
      magnitude += std::fabs(value);
    }
    add(results, array, element, sum, magnitude, double(terms));
  }

  const Case &entry;
  const HostArrays &arrays;
  Function function;
  uint64_t itemCount = 0;
  double operationsPerItem = 0;
};

} // namespace bench

#endif // BENCH_RUNNER_REFERENCES_H
