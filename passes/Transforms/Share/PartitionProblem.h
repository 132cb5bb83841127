//===- PartitionProblem.h - arrays that blocks may share --------*- C++ -*-===//
//
// What the choice of array partitions rests on, free of IR (Li et al., "Pragma
// Directed Shared Memory Centric Optimizations on GPUs", JCST 2016, section
// 3.2): the dimensions in which a kernel iterates, and the affine accesses in
// them. Of the matrix product
//
//   dimensions   x, y: work items; k: a loop, all of extent n
//   references   A[y][k], B[k][x], C[y][x]
//   edges        A - C, B - C: C is computed from both
//
// Lengths are polynomials over the parameters of a plan: the threads of a block
// (TBX, TBY, TBZ), the elements that `*` stands for (k1, k2, …) and the sizes
// of the launch.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_TRANSFORMS_SHARE_PARTITIONPROBLEM_H
#define PASSES_TRANSFORMS_SHARE_PARTITIONPROBLEM_H

#include "dialects/GPUOpt/ShareHint.h"
#include "passes/Analysis/Polynomial.h"

#include <string>
#include <vector>

namespace gpuopt {

/// A number that a plan depends on.
struct PlanParameter {
  enum class Kind {
    BlockSize,  ///< threads along x, y, z: parameters 0, 1 and 2
    Vague,      ///< what `*` of a hint stands for
    Size,       ///< of the launch
    Expression, ///< over block sizes, as a hint has it: `TBX / 2`
    Quotient    ///< `dividend / divisor`, rounded up
  };

  Kind kind;
  std::string name;
  /// Of a size: what is assumed of it.
  int64_t value = 0;
  /// Of a quotient.
  Polynomial dividend = {};
  int64_t divisor = 1;
};

class PlanParameters {
public:
  /// Holds the block sizes.
  PlanParameters();

  Polynomial addVague();
  Polynomial addSize(llvm::StringRef name, int64_t value);
  /// The length that a hint gives.
  Polynomial addLength(llvm::StringRef expression);
  Polynomial addQuotient(const Polynomial &dividend, int64_t divisor);

  llvm::ArrayRef<PlanParameter> all() const { return parameters; }
  std::string toString(const Polynomial &polynomial) const;

  /// The values of all parameters for a block, and for each vague number. A
  /// value is -1 where an expression has none.
  std::vector<int64_t> evaluate(llvm::ArrayRef<int64_t> block,
                                llvm::ArrayRef<int64_t> vague) const;

private:
  Polynomial find(const PlanParameter &wanted);

  std::vector<PlanParameter> parameters;
};

/// A dimension of the iteration space.
struct IterationDimension {
  std::string name;
  /// 0, 1, 2 for the ids of work items along x, y, z; nothing for a loop.
  std::optional<unsigned> workItem;
  /// Iterations of a loop.
  Polynomial extent;
};

/// A subscript that is an affine form of the iteration.
struct AffineSubscript {
  /// By dimension of the iteration space.
  llvm::SmallVector<int64_t> factors;
  Polynomial offset;

  /// Whether it is the same in all iterations.
  bool isFixed() const {
    return llvm::all_of(factors, [](int64_t factor) { return factor == 0; });
  }
};

/// An access in the source.
struct ArrayReference {
  unsigned array = 0;
  bool isStore = false;
  /// The loops around it, and all dimensions of work items.
  llvm::SmallVector<unsigned> dimensions;
  /// Slowest first.
  llvm::SmallVector<AffineSubscript> subscripts;
  /// Why it is not affine; empty where it is.
  std::string problem;
};

struct SharedArray {
  std::string name;
  int64_t elementBytes = 0;
};

struct PartitionProblem {
  PlanParameters parameters;
  std::vector<IterationDimension> dimensions;
  std::vector<SharedArray> arrays;
  std::vector<ArrayReference> references;
  /// Arrays of which one is computed from the other.
  std::vector<std::pair<unsigned, unsigned>> dependences;
  /// What the source says; a hint for each array where it says nothing.
  std::vector<ShareHint> hints;

  std::optional<unsigned> findArray(llvm::StringRef name) const;
  /// Whether the kernel stores to it.
  bool isStored(unsigned array) const;
};

/// The arrays that hints name, and all that are computed from them or they
/// from, in any number of steps (section 3.2.1, candidate selection).
llvm::SmallVector<unsigned> selectCandidates(const PartitionProblem &problem);

/// A hint for each array that is read, where the source has none: what a work
/// item's id selects is as long as the block, all else is open.
std::vector<ShareHint> defaultHints(const PartitionProblem &problem);

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_SHARE_PARTITIONPROBLEM_H
