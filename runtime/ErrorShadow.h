//===- ErrorShadow.h - how far numbers may be off ---------------*- C++ -*-===//
//
// A kernel whose sums are added in another order gives other results than the
// source's, and both are right. How far the two may be apart follows from what
// the source computes: each number x has a magnitude M, which is x computed
// with absolute values (|a| + |b| for a + b and a - b, |a| * |b| for a * b),
// and the roundings R on the way to it, in units of the last place summed up.
// The sum of the same terms in any order is within M * R / (1 - R) of the exact
// one.
//
//   a[0] + … + a[n-1] in float       M = |a[0]| + … + |a[n-1]|, R = (n - 1)
//   2^-24
//
// Numbers that have seen no rounding, as inputs have not, are no more than M =
// |x|, R = 0, and not kept. The executor follows M and R through a kernel
// (runtime/CPU/FollowErrors.cpp); what it cannot follow has R = infinity, and
// where a number with R > 0 has decided something, no bound holds at all.
//
//===----------------------------------------------------------------------===//

#ifndef RUNTIME_ERRORSHADOW_H
#define RUNTIME_ERRORSHADOW_H

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <unordered_map>

namespace gpuopt {

/// Magnitude and roundings of one number.
struct RoundingError {
  double magnitude = 0;
  double roundings = 0;

  /// How far two evaluations may be apart; infinite where nobody knows.
  double bound() const;
};

/// The rounding errors of the numbers in memory. Threads may share it.
class ErrorShadow {
public:
  /// Of the number `value` at `address`; one that nothing is known of, or that
  /// something else has changed, is exact.
  RoundingError find(const void *address, double value) const;
  /// `value` was stored.
  void note(const void *address, double value, const RoundingError &error);
  /// A number was added atomically to the one at `address`, which was `old`.
  void add(const void *address, double old, const RoundingError &error);
  /// Whether a number in these bytes has seen roundings.
  bool hasRoundings(const void *address, uint64_t bytes) const;

  /// A number that may be off has decided something, or went where it cannot be
  /// followed: no bound holds.
  void lose() { lost = true; }
  bool isLost() const { return lost; }

private:
  struct Entry {
    RoundingError error;
    /// The number that it is of; NaN for whatever is there.
    double value = 0;
  };
  /// Addresses are spread over parts with a lock each.
  struct Part {
    mutable std::mutex mutex;
    std::unordered_map<uint64_t, Entry> entries;
  };
  static constexpr unsigned kParts = 64;
  /// Bytes that belong to one part.
  static constexpr uint64_t kPartBytes = 64;

  Part &partOf(uint64_t address) {
    return parts[address / kPartBytes % kParts];
  }
  const Part &partOf(uint64_t address) const {
    return parts[address / kPartBytes % kParts];
  }

  std::array<Part, kParts> parts;
  std::atomic<bool> lost = false;
};

} // namespace gpuopt

#endif // RUNTIME_ERRORSHADOW_H
