//===- SharedAccesses.h - whether lanes meet in memory ----------*- C++ -*-===//
//
// Two accesses of the same array, in loops whose iterations lanes share out. An
// address is c * i + r, with i the iteration's number times the loop's step:
//
//   for i: b[w*r + i] = …          c = 4 bytes, r = 4*w*r    iteration i has
//   for i: … = b[w*r + i]          the same                  its own element
//   for i: … = b[w*r + i + 1]      r is 4 more               another lane's
//   for i: b[idx[i]] = …           unknown                   anybody's
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_TRANSFORMS_REDUCE_SHAREDACCESSES_H
#define PASSES_TRANSFORMS_REDUCE_SHAREDACCESSES_H

#include "passes/Analysis/Polynomial.h"

#include <vector>

namespace gpuopt {

/// Which lane runs the iterations of a shared loop: iteration n is lane n's,
/// modulo the number of lanes.
struct IterationSpace {
  /// The first iteration is at the largest of these; none where that is not
  /// known.
  std::vector<Polynomial> begins;
  int64_t step = 1;
  bool operator==(const IterationSpace &) const = default;
};

/// The elements that a shared loop accesses.
struct SharedAccess {
  /// Bytes from one iteration's to those of the iterator's next value; 0 where
  /// that is not known.
  int64_t stride = 0;
  /// The address of iteration 0: the same for all iterations, and for all
  /// lanes.
  Polynomial offset;
  int64_t bytes = 0;
  IterationSpace iterations;
};

/// Whether elements that both access are accessed by the same iteration, and so
/// by the same lane, of both.
bool meetInIterations(const SharedAccess &left, const SharedAccess &right);

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_REDUCE_SHAREDACCESSES_H
