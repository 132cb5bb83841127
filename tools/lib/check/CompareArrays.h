//===- CompareArrays.h - outputs of two kernels -----------------*- C++ -*-===//
//
// Integers and opaque bytes are equal or not. So are floating-point numbers,
// zeros with their signs and NaNs whatever they carry, unless a bound says how
// far each of them may be off; there is no tolerance for an array as a whole.
//
//===----------------------------------------------------------------------===//

#ifndef TOOLS_LIB_CHECK_COMPAREARRAYS_H
#define TOOLS_LIB_CHECK_COMPAREARRAYS_H

#include "tools/lib/launch/Problem.h"

#include <string>
#include <vector>

namespace gpuopt {

/// How one output array of the tuned kernel compares with the original's.
struct ArrayComparison {
  std::string name;
  int64_t elements = 0;
  /// Scalars that differ: in any bit, or by more than their bound.
  int64_t mismatches = 0;
  /// Scalars that differ, but by no more than their bound.
  int64_t withinBound = 0;
  /// Scalars that differ and have no bound: nobody can tell whether they may.
  int64_t withoutBound = 0;
  /// Scalars that do not count as output, and of which the tuned kernel has
  /// changed bytes that the original one does not store to.
  int64_t strayWrites = 0;
  /// Largest |difference| / |original| of the scalars that differ.
  double largestError = 0;
  /// Largest |difference| / bound of the scalars within their bounds.
  double largestShareOfBound = 0;
  /// The first element that is counted in `mismatches`, or else in
  /// `withoutBound`, or else in `strayWrites`, and what is there behind both
  /// kernels.
  int64_t firstElement = 0;
  std::string original;
  std::string tuned;

  bool isEqual() const { return passed() && withinBound == 0; }
  bool passed() const { return mismatches + withoutBound + strayWrites == 0; }
};

/// How far each scalar of an array may be from the original's: infinite where
/// no bound can be given, 0 for not at all.
using ErrorBounds = std::vector<double>;

/// Compares `tuned` with `original`, scalar for scalar; bit for bit without
/// `bounds`.
ArrayComparison compareArrays(const ProblemArray &original,
                              const ProblemArray &tuned,
                              const ErrorBounds *bounds = nullptr);

/// Adds to `result` what `tuned` has changed of `before` where the original
/// kernel does not store: in an array that is no output, or behind the elements
/// of an output that count. What the original kernel stores there is scratch.
/// `stored` is 1 for each byte that it stores to; where it is empty, those that
/// it has changed are taken for all.
void findStrayWrites(const ProblemArray &before, const ProblemArray &original,
                     const ProblemArray &tuned, llvm::ArrayRef<uint8_t> stored,
                     ArrayComparison &result);

} // namespace gpuopt

#endif // TOOLS_LIB_CHECK_COMPAREARRAYS_H
