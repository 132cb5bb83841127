//===- Bounds.h - the least and the greatest of subscripts ------*- C++ -*-===//
//
// Over the iterations of loops, a polynomial that is linear in their variables
// is least, and greatest, where each variable is at one of its ends:
//
//   for (i = 0; i < n; i++)
//     for (j = i; j < n; j++)       a[i * n + j]:  least 0, at i = 0, j = 0
//                                                  greatest n·n - 1
//
// The end of a variable is one of an iteration, so that the element exists, if
// the loop has iterations then. What has to hold for that, and for the signs of
// factors such as n, is collected: where it does not follow from what is known,
// it is to be tested before the section.
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_OFFLOAD_BOUNDS_H
#define CONVERSION_OFFLOAD_BOUNDS_H

#include "conversion/Offload/Effects.h"

#include "llvm/ADT/DenseSet.h"

namespace gpuopt::offload {

/// Polynomials over values that are known before the section, none of which is
/// negative in it.
class Conditions {
public:
  /// Takes for granted that `polynomial` is not negative.
  void assume(Polynomial polynomial) { known.push_back(polynomial); }
  /// Whether it cannot be negative.
  bool implies(const Polynomial &polynomial) const;
  /// Wants it not to be negative; false where it always is.
  bool require(const Polynomial &polynomial);
  /// What was wanted and does not follow from the rest.
  std::vector<Polynomial> required() const;

private:
  std::vector<Polynomial> known, added;
};

/// The ends of one subscript.
struct Range {
  Polynomial least, most;
};

class Bounds {
public:
  Bounds(const Effects &effects, Conditions &conditions)
      : effects(effects), conditions(conditions) {}

  /// The ends of `polynomial` in iterations of `loops`, by their places. With
  /// `areReached` both are values that it has. Nothing where that cannot be
  /// told.
  std::optional<Range> rangeOf(Polynomial polynomial,
                               llvm::ArrayRef<size_t> loops, bool areReached);
  /// The loops at `places` as they are where conditions hold, the outermost
  /// first, and `polynomial` over their symbols.
  std::optional<std::vector<LoopRange>>
  withConditions(llvm::ArrayRef<size_t> places, Polynomial &polynomial);

private:
  std::optional<Polynomial> end(Polynomial polynomial,
                                llvm::ArrayRef<LoopRange> ranges, bool isMost,
                                bool isReached);
  std::optional<bool> isPositive(const Polynomial &factor,
                                 llvm::ArrayRef<LoopRange> ranges);

  const Effects &effects;
  Conditions &conditions;
};

/// The values that a subscript takes one after the other: `count` ones from
/// `first` on. That has variables of loops where it does so for each of their
/// values anew.
struct Tiling {
  Polynomial first, count;
};

/// How `subscript` takes values in the iterations of `ranges`, each once:
/// i·n + j takes n·m from 0 on, with j from 0 to n - 1 and i from 0 to m - 1.
/// Adds the loops that do so to `used`, of which it takes none.
Tiling tile(const Polynomial &subscript, llvm::ArrayRef<LoopRange> ranges,
            llvm::DenseSet<SymbolID> &used);

} // namespace gpuopt::offload

#endif // CONVERSION_OFFLOAD_BOUNDS_H
