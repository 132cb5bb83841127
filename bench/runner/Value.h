//===- Value.h - a result and how far others may be from it -----*- C++ -*-===//
//
// A number in float64 that carries a bound on how far the same computation may
// end from it in a narrower type, whatever the order of its sums and however
// multiply and add are fused: to first order |error| <= terms * u * magnitude,
// with the unit roundoff u (Higham, Accuracy and Stability of Numerical
// Algorithms, section 3.1). Of a sum, `magnitude` is that of the absolute
// values and `terms` the number of roundings on the longest path. Of long sums
// the roundings are taken for independent: 10 sqrt(terms) then stands for terms
// (Higham and Mary, A New Approach to Probabilistic Rounding Error Analysis,
// SIAM J. Sci. Comput. 41, 2019), or the bound would allow anything.
//
//   (1 +- 2^-24) - (1 +- 2^-24) has value 0, magnitude 2: not known at all
//   x * y with x, y exact has one rounding: terms 1, magnitude |x y|
//
//===----------------------------------------------------------------------===//

#ifndef BENCH_RUNNER_VALUE_H
#define BENCH_RUNNER_VALUE_H

#include <algorithm>
#include <cmath>

namespace bench {

struct Value {
  double value = 0, magnitude = 0, terms = 0;

  Value() = default;
  Value(double exact) : value(exact), magnitude(std::fabs(exact)) {}
  Value(double value, double magnitude, double terms)
      : value(value), magnitude(magnitude), terms(terms) {}

  /// The bound in a type with unit roundoff `u` and smallest number `least`.
  double bound(double u, double least) const {
    double roundings = terms + 4;
    return std::min(roundings, 10 * std::sqrt(roundings)) *
           (u * magnitude + least);
  }
};

inline Value operator+(const Value &a, const Value &b) {
  return {a.value + b.value, a.magnitude + b.magnitude,
          std::max(a.terms, b.terms) + 1};
}
inline Value operator-(const Value &a, const Value &b) {
  return {a.value - b.value, a.magnitude + b.magnitude,
          std::max(a.terms, b.terms) + 1};
}
inline Value operator*(const Value &a, const Value &b) {
  return {a.value * b.value, a.magnitude * b.magnitude, a.terms + b.terms + 1};
}
inline Value &operator+=(Value &a, const Value &b) { return a = a + b; }
inline Value &operator-=(Value &a, const Value &b) { return a = a - b; }

// Divisions, roots and exponentials of GPUs may be off by a few units: 4 terms.

inline Value operator/(const Value &a, const Value &b) {
  return {a.value / b.value, a.magnitude * b.magnitude / (b.value * b.value),
          a.terms + b.terms + 4};
}
inline Value sqrt(const Value &a) {
  if (a.value <= 0) // of a sum that cancelled: as far as the sum may be
    return {0, std::sqrt(a.magnitude), a.terms + 4};
  double root = std::sqrt(a.value);
  return {root, a.magnitude / root, a.terms + 4};
}
inline Value rsqrt(const Value &a) { return Value(1) / sqrt(a); }
inline Value exp(const Value &a) {
  double power = std::exp(a.value);
  return {power, power * std::max(1.0, a.magnitude), a.terms + 4};
}
inline Value abs(const Value &a) {
  return {std::fabs(a.value), a.magnitude, a.terms};
}
inline Value max(const Value &a, const Value &b) {
  return {std::max(a.value, b.value), std::max(a.magnitude, b.magnitude),
          std::max(a.terms, b.terms)};
}
inline Value min(const Value &a, const Value &b) {
  return {std::min(a.value, b.value), std::max(a.magnitude, b.magnitude),
          std::max(a.terms, b.terms)};
}

} // namespace bench

#endif // BENCH_RUNNER_VALUE_H
