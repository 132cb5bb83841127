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
// Of the roundings of a sum those of its additions, A, are kept apart: the
// terms' own, R - A, are the most that any of them has, since each goes into
// the result once; additions count as many times as there are, since in another
// order one term may go through all of them (Higham, "Accuracy and Stability of
// Numerical Algorithms", section 4.2). What is not a sum has A = 0.
//
// Numbers that have seen no rounding, as inputs have not, are no more than M =
// |x|, R = 0, and not kept. Nor does a rounding count that both evaluations
// make alike: where only sums in loops have another order, all that depends on
// no such sum keeps R = 0. The executor follows M and R through a kernel
// (runtime/CPU/FollowErrors.cpp); what it cannot follow has R = infinity, and
// where a number with R > 0 has decided something, no bound holds at all.
//
//===----------------------------------------------------------------------===//

#ifndef RUNTIME_ERRORSHADOW_H
#define RUNTIME_ERRORSHADOW_H

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>

namespace gpuopt {

/// Magnitude and roundings of one number.
struct RoundingError {
  double magnitude = 0;
  double roundings = 0;
  /// Of the roundings, those of the additions of a sum.
  double additions = 0;

  /// How far two evaluations may be apart; infinite where nobody knows.
  double bound() const;
};

/// Which operations two evaluations may round in different ways; atomic sums
/// always are among them. `Functions` are those of libraries (MathFunctions.h),
/// `Fused` all but products that no sum is made of.
enum class LooseOperations { AtomicSums, SumsInLoops, Functions, Fused, All };

/// The rounding errors of the numbers in memory. Threads may share it.
class ErrorShadow {
public:
  explicit ErrorShadow(LooseOperations operations = LooseOperations::All)
      : loose(operations) {}

  LooseOperations looseOperations() const { return loose; }

  /// Of the number `value` of `bytes` at `address`; one that nothing is known
  /// of, or that something else has changed, is exact, and one that is made of
  /// parts of others unknown.
  RoundingError find(const void *address, uint64_t bytes, double value) const;
  /// `value` was stored in `bytes`.
  void note(const void *address, uint64_t bytes, double value,
            const RoundingError &error);
  /// A number was added atomically to the one at `address`, which was `old`.
  void add(const void *address, uint64_t bytes, double old,
           const RoundingError &error);
  /// Something else than a number was stored in `bytes`. Half of a number that
  /// may be off is left where it overwrites the other half: no bound holds.
  void forget(const void *address, uint64_t bytes);
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
    /// That the number takes.
    uint64_t bytes = 0;
  };
  using Entries = std::map<uint64_t, Entry>;
  /// Addresses are spread over parts with a lock each.
  struct Part {
    mutable std::mutex mutex;
    Entries entries;
  };
  static constexpr unsigned kParts = 64;
  /// Bytes that belong to one part.
  static constexpr uint64_t kPartBytes = 64;
  /// Of the largest number.
  static constexpr uint64_t kMaxBytes = 8;

  /// Calls `visit` for the numbers that share bytes with these, with their part
  /// locked, until it returns true; returns whether it has.
  template <typename Self, typename Visit>
  static bool visitOverlaps(Self &self, uint64_t address, uint64_t bytes,
                            Visit visit);

  Part &partOf(uint64_t address) {
    return parts[address / kPartBytes % kParts];
  }
  const Part &partOf(uint64_t address) const {
    return parts[address / kPartBytes % kParts];
  }

  const LooseOperations loose;
  std::array<Part, kParts> parts;
  std::atomic<bool> lost = false;
};

} // namespace gpuopt

#endif // RUNTIME_ERRORSHADOW_H
