//===- IterationSplit.h - iterations that belong to a block -----*- C++ -*-===//
//
// How parts of arrays cut the iteration space: the inverse images of hinted
// parts under the access functions, and their intersections (Li et al. 2016,
// section 3.2.1). Of the matrix product with `share(A[TBY][*], B[*][TBX])`
//
//   A[y][k] in A[TBY][*]   y: TBY, k: *
//   B[k][x] in B[*][TBX]   x: TBX, k: *
//   both                   x: TBX, y: TBY, k: *
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_TRANSFORMS_SHARE_ITERATIONSPLIT_H
#define PASSES_TRANSFORMS_SHARE_ITERATIONSPLIT_H

#include "passes/Transforms/Share/PartitionProblem.h"

namespace gpuopt {

/// How much of one dimension belongs to a block at a time.
struct SplitLength {
  enum class Kind {
    Whole, ///< no part of an array says anything
    Vague, ///< `*`: chosen with the plan
    Fixed
  };
  Kind kind = Kind::Whole;
  /// Where fixed.
  Polynomial length = {};

  bool operator==(const SplitLength &other) const = default;
};

struct IterationSplit {
  /// By dimension of the iteration space.
  std::vector<SplitLength> lengths;
  /// The hints that it is of, by number.
  llvm::SmallVector<unsigned> hints;
};

/// The iterations in which `reference` accesses the part that `hint` names; why
/// there are none otherwise.
struct InverseImage {
  std::optional<IterationSplit> split;
  std::string problem;
};
InverseImage invertAccess(PartitionProblem &problem, unsigned hint,
                          const ArrayReference &reference);

/// The splits of all hints and references, those that are compatible
/// intersected: which differ only where one of both is vague or whole. Adds to
/// `ignored` hints that cut nothing, with the reason.
std::vector<IterationSplit>
splitIterations(PartitionProblem &problem,
                std::vector<std::pair<unsigned, std::string>> &ignored);

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_SHARE_ITERATIONSPLIT_H
