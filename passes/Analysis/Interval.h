//===- Interval.h - ranges of integers --------------------------*- C++ -*-===//
//
// A closed range of mathematical integers. The least and the largest int64_t
// stand for minus and plus infinity, and arithmetic saturates to them: a bound
// that is none of the two is exact.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_ANALYSIS_INTERVAL_H
#define PASSES_ANALYSIS_INTERVAL_H

#include <algorithm>
#include <cstdint>
#include <limits>

namespace gpuopt {

struct Interval {
  static constexpr int64_t minusInfinity = std::numeric_limits<int64_t>::min();
  static constexpr int64_t plusInfinity = std::numeric_limits<int64_t>::max();

  int64_t low = minusInfinity;
  int64_t high = plusInfinity;

  /// What `bits` hold as a signed number; everything for 64 and more.
  static Interval ofSigned(unsigned bits) {
    if (bits >= 64)
      return {};
    int64_t limit = int64_t(1) << (bits - 1);
    return {-limit, limit - 1};
  }
  /// What `bits` hold as an unsigned number; all from 0 for 63 and more.
  static Interval ofUnsigned(unsigned bits) {
    if (bits >= 63)
      return {0, plusInfinity};
    return {0, (int64_t(1) << bits) - 1};
  }

  bool operator==(const Interval &other) const = default;
  bool isWithin(const Interval &other) const {
    return low >= other.low && high <= other.high;
  }
  /// True where no bound is infinite: the value fits an int64_t for sure.
  bool isFinite() const { return low > minusInfinity && high < plusInfinity; }

  Interval intersect(const Interval &other) const {
    return {std::max(low, other.low), std::min(high, other.high)};
  }

  friend Interval operator+(const Interval &left, const Interval &right) {
    return {add(left.low, right.low, minusInfinity),
            add(left.high, right.high, plusInfinity)};
  }
  friend Interval operator*(const Interval &left, const Interval &right) {
    int64_t products[] = {
        multiply(left.low, right.low), multiply(left.low, right.high),
        multiply(left.high, right.low), multiply(left.high, right.high)};
    return {*std::min_element(products, products + 4),
            *std::max_element(products, products + 4)};
  }

private:
  static bool isInfinite(int64_t bound) {
    return bound == minusInfinity || bound == plusInfinity;
  }
  /// `infinity` is what an infinite or overflowing sum of this bound becomes.
  static int64_t add(int64_t left, int64_t right, int64_t infinity) {
    int64_t sum;
    if (left == infinity || right == infinity ||
        __builtin_add_overflow(left, right, &sum))
      return infinity;
    return sum;
  }
  static int64_t multiply(int64_t left, int64_t right) {
    if (left == 0 || right == 0)
      return 0;
    int64_t product;
    if (isInfinite(left) || isInfinite(right) ||
        __builtin_mul_overflow(left, right, &product))
      return (left < 0) == (right < 0) ? plusInfinity : minusInfinity;
    return product;
  }
};

} // namespace gpuopt

#endif // PASSES_ANALYSIS_INTERVAL_H
