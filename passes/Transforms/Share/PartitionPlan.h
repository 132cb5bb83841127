//===- PartitionPlan.h - the best parts of arrays for a block ---*- C++ -*-===//
//
// Which arrays a block keeps in workgroup memory, and how large the block is:
// all legal points of the space of parameters are looked at (Li et al. 2016,
// section 3.2.3, equations 8 to 19). Of the matrix product
//
//   profit        8*n*TBX*TBY + 256*n*TBY, largest for 32 x 32 threads
//   where         TBX * TBY <= 1024, TBX >= 32,
//                 4 * (TBY*k1 + TBX*k2) <= 12288: k1 + k2 <= 96
//
// Equation 11 bounds the threads of a multiprocessor by what it hosts. That is
// no constraint on a plan here, as a multiprocessor takes fewer blocks then:
// for the figures above, of 2048 threads and a quarter of 48 KB for a block, it
// would contradict the paper's own choice.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_TRANSFORMS_SHARE_PARTITIONPLAN_H
#define PASSES_TRANSFORMS_SHARE_PARTITIONPLAN_H

#include "passes/Transforms/Share/PartitionFeatures.h"

namespace gpuopt {

/// What a block may have.
struct PartitionLimits {
  /// Bytes of workgroup memory (the paper's threshold times that of a
  /// multiprocessor).
  int64_t workgroupBytes = 0;
  int64_t threads = 0;
  /// Fewer along x leave accesses uncoalesced.
  int64_t threadsAlongX = 32;
  /// Shorter rows of tiles leave the loads uncoalesced that fill these.
  int64_t rowBytes = 128;
  int64_t transactionBytes = 128;
  /// References for each element from which on an array is reused; 1.4 to 2.
  double reuseThreshold = 1.5;
};

struct PartitionPlan {
  /// Threads along x, y, z.
  std::array<int64_t, 3> block = {1, 1, 1};
  /// Work items of a thread along these.
  std::array<int64_t, 3> items = {1, 1, 1};
  /// Those that go through workgroup memory, by number, and the bytes that
  /// their tiles take.
  llvm::SmallVector<unsigned> arrays;
  int64_t bytes = 0;
  /// Iterations of the loops that are cut into parts; 0 where none is.
  int64_t iterations = 0;
  /// Bytes that a block does not move.
  int64_t profit = 0;
  /// The same, and what bounds the vague numbers in this block.
  std::string formula, limit;
};

struct PartitionSearch {
  /// The best of each split that saves anything, the best one first.
  std::vector<PartitionPlan> plans;
  /// Splits, and legal points of all of them (equations 18 and 19).
  unsigned splits = 0;
  int64_t points = 0;
  /// Why there is no plan, where there is none.
  std::string obstacle;
  /// Hints that cut nothing, and why.
  std::vector<std::pair<unsigned, std::string>> ignoredHints;
};

/// `problem` has hints.
PartitionSearch searchPartitions(PartitionProblem problem,
                                 const PartitionLimits &limits);

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_SHARE_PARTITIONPLAN_H
