//===- PartitionCamping.h - blocks that meet in a partition -----*- C++ -*-===//
//
// Global memory is divided into partitions (channels), `memory_partition_bytes`
// after `memory_partition_bytes` going to the next of `memory_partitions`;
// after a *period*, their product, it is the first one's turn again. Blocks
// that are active at the same time and access the same partition queue up there
// while the others idle: *partition camping* (section 3.7 of Yang et al. 2012).
//
// The paper's rule: neighbouring blocks along x are active together, so an
// access camps if it moves by a multiple of the period from blockIdx.x to
// blockIdx.x + 1. That is about a block as a whole, whose own accesses have to
// meet in a partition as well: a block of 64 rows of 1000 floats moves by 125
// periods, but its rows lie in all partitions. So rows that the threads of a
// block are apart have to be multiples of the period too ("the width of A is a
// multiple of partition size times number of partitions"), and what else the
// threads add must not reach over half a period. For 8 partitions of 256 bytes,
// blocks of 16 x 16 threads and floats:
//
//   access               moves by    verdict
//   a[idx][i], w = 4096  262144      camps
//   a[idx][i], w = 4100  262400      spread
//   a[idx][i], w = 256   16384       spread: rows of a block lie in two
//   a[idx][i]            64*w        depends: on 4*w mod 2048
//   c[idy][idx]          64          spread
//   a[idy][i], b[i]                  none: blockIdx.x is not in it
//
// How the addresses of the blocks that are active at once are distributed is
// counted, not estimated: the *histogram* of the sectors that they touch in the
// first iteration of every loop, by partition. Arrays are taken to begin at a
// multiple of the period, guards to hold as in the first block.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_ANALYSIS_PARTITIONCAMPING_H
#define PASSES_ANALYSIS_PARTITIONCAMPING_H

#include "dialects/GPUOpt/GPUOptAttrs.h"
#include "passes/Analysis/AccessFunction.h"

namespace gpuopt {

/// Bytes after which addresses are in the same partition again; nothing for a
/// target without partitions to camp in (one, or addresses are hashed).
std::optional<int64_t> partitionPeriod(TargetAttr target);

/// What neighbouring blocks along x do to the partitions by one access.
struct CampingFact {
  enum class Verdict {
    None,       ///< blockIdx.x is not in the address
    Spread,     ///< neighbours meet in different partitions
    Camps,      ///< neighbours meet in the same partition
    Depends,    ///< camps where all of `multiples` are multiples of the period
    Unresolved, ///< not known, see `reason`
  };
  Verdict verdict = Verdict::Unresolved;
  /// From a block to its neighbour along x, in bytes: 64*w. Not of `None` and
  /// `Unresolved`.
  Polynomial strideBytes = {};
  /// Of `Depends`: sums of products of parameters, in bytes: {4*w}.
  std::vector<Polynomial> multiples = {};
  std::string reason = {};

  bool mayCamp() const {
    return verdict == Verdict::Camps || verdict == Verdict::Depends;
  }
};

llvm::StringRef stringify(CampingFact::Verdict verdict);

/// Determines whether `access` camps in the partitions of `target` when
/// launched with blocks of shape `block`. Parameters with a value in `sizes`
/// are constants.
CampingFact computeCamping(const AccessFunction &access,
                           const VariableTable &variables, TargetAttr target,
                           const BlockShape &block, const SizeMap &sizes = {});

/// Which blocks are looked at together.
struct ActiveBlocks {
  /// Blocks of the launch in x, y, z.
  std::array<int64_t, 3> grid = {1, 1, 1};
  /// How many of them, from the first one on and x fastest, are active at once.
  int64_t count = 1;
};

/// The blocks of a launch that covers `items` with `itemsPerBlock` each, of
/// which each multiprocessor holds `blocksPerMultiprocessor`.
ActiveBlocks activeBlocksOf(TargetAttr target,
                            const std::array<int64_t, 3> &items,
                            const std::array<int64_t, 3> &itemsPerBlock,
                            int64_t blocksPerMultiprocessor);

/// The sectors that active blocks touch at a time, by partition.
struct PartitionHistogram {
  std::vector<int64_t> sectors = {};
  /// What had to be assumed: {"w = 4096"}.
  std::vector<std::string> assumptions = {};

  int64_t total() const;
  /// The part of all sectors in the partition with the most: 1 where all meet
  /// in one, 1 / partitions where they are spread evenly. 0 without sectors.
  double busiestShare() const;
  void add(const PartitionHistogram &other);
};

/// Counts for one access. Nothing where it is unresolved, or no thread of the
/// first block makes it.
std::optional<PartitionHistogram>
computePartitionHistogram(const AccessFunction &access,
                          const VariableTable &variables, TargetAttr target,
                          const BlockShape &block, const ActiveBlocks &active,
                          const SizeMap &sizes = {});

/// The histogram of one array's loads or stores.
struct ArrayPartitions {
  std::string array;
  AccessKind kind;
  PartitionHistogram histogram = {};
  /// All blocks access the same: whatever the partition, they get it together.
  bool isSameForBlocks = true;
};

/// Loads and stores of each array of `kernel` in global memory, in the order of
/// their first access. Empty for targets without partitions.
std::vector<ArrayPartitions> computePartitions(const AccessFunctions &functions,
                                               TargetAttr target,
                                               const BlockShape &block,
                                               const ActiveBlocks &active,
                                               const SizeMap &sizes = {});

} // namespace gpuopt

#endif // PASSES_ANALYSIS_PARTITIONCAMPING_H
