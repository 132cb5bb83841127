//===- MergePlan.h - how many blocks and threads to merge -------*- C++ -*-===//
//
// Which merges a kernel gets (Yang et al. 2012, sections 3.5.3 and 4.1),
// decided on a summary of the kernel instead of IR:
//
//   * A block gets a quarter of the threads that the target allows (256 for
//     1024), a block of a one-dimensional kernel with a loop half of that, by
//     merging blocks: along y, or along x where the block has one row.
//   * A thread gets several work items where that lets it use a loaded value
//     more than once: along each dimension in which some load in a loop does
//     not depend on the block. Kernels of one dimension keep one item: they
//     rarely have enough work items to give any away.
//     Code grows with the items, so large kernels get fewer.
//   * Without a loop, a thread gets up to four work items along a dimension in
//     which the tiles of neighbouring blocks overlap by more than a tenth: a
//     block fetches its halo once for all of them. A stencil of 9 points with
//     blocks of 32 x 8: tiles of 34 x 10 become one of 34 x 34.
//   * Two blocks must fit on a multiprocessor (half its registers, half its
//     workgroup memory), and a block into what it may declare. Where a thread
//     would get fewer than 16 items by that, one block of at least 192 threads
//     must fit (line 18 of figure 12): old targets get register tiles so.
//     Threads with too few registers for 64 sums (`registers_per_thread` below
//     88) get items by the fewest registers that can do, where all that loops
//     load is in tiles: 8 x 4 of a product with 63 registers.
//   * A block that is one row of threads (see `fitsSquareBlocks`) gives its
//     registers to items first, along y up to 16 and then along x, as long as
//     two blocks of two subgroups fit; then blocks are merged along x. For a
//     product 4 x 16 items, 101 registers, and 64 threads: 6464 of 8192. A
//     square of 256 threads has 32 registers a thread there, which is one sum.
//   * Of the items of a thread along a dimension in which accesses are
//     contiguous, as many are neighbours as fill a vector; groups of them are
//     interleaved, so that lanes access neighbouring vectors. A kernel without
//     loops all of whose accesses can be vectors gets one vector of items.
//
// For the matrix product on sm_90: block 16 x 16 as it is; the tile of a is
// shared along x, b along y; 8 x 8 items per thread, along x two groups of
// four.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_TRANSFORMS_MERGE_MERGEPLAN_H
#define PASSES_TRANSFORMS_MERGE_MERGEPLAN_H

#include "dialects/GPUOpt/GPUOptAttrs.h"

#include <array>
#include <vector>

namespace gpuopt {

/// One load in a loop, or a workgroup array, as merging sees it.
struct MergedData {
  /// Of a load, the 32-bit registers for value and address; of an array, bytes.
  int64_t size = 0;
  /// Whether each block along x, y, z has its own.
  std::array<bool, 3> variant = {false, false, false};
  /// Of an array, whether each item of a thread has its own that the thread
  /// helps to fill, instead of a part of a larger one.
  bool isReplicated = false;
  /// Of an array that is a part of a larger one along x, y, z: how much of what
  /// a block has is its neighbour's too, as a share of what it alone has.
  std::array<double, 3> halo = {0, 0, 0};
};

/// What the plan depends on.
struct MergeSummary {
  std::array<int64_t, 3> block = {1, 1, 1};
  /// The dimensions along which the kernel has more than one block.
  std::array<bool, 3> hasBlocks = {false, false, false};
  /// Whether loops stay, other than those over the few neighbours of a stencil.
  bool hasLoop = false;
  /// Whether all loops are such, and are unrolled: how many registers they take
  /// is not known before.
  bool hasShortLoopsOnly = false;
  /// Operations of the kernel, nearly all of which each item of a thread has.
  int64_t operations = 0;
  /// 32-bit registers that one work item carries around the loop.
  int64_t carriedRegisters = 0;
  /// The loads of the loops that end up in registers.
  std::vector<MergedData> loads = {};
  /// Whether all of these are from workgroup memory: near enough that each can
  /// wait until it is needed.
  bool loadsTilesOnly = false;
  /// Workgroup arrays.
  std::vector<MergedData> arrays = {};
  /// How many neighbouring items along x, y, z make vectors that the target
  /// prefers of all their accesses; 1 where some would stay apart.
  std::array<int64_t, 3> vectorItems = {1, 1, 1};
};

/// The limits that a target sets.
struct MergeLimits {
  int64_t threadsPerBlock = 0;
  int64_t threadsAimedAt = 0;
  /// That a block of one row grows to before its threads get more items: enough
  /// for two subgroups.
  int64_t fewestThreads = 0;
  int64_t registersPerThread = 0;
  int64_t registersPerBlock = 0;
  int64_t workgroupBytes = 0;
  /// The last two for a block that has a multiprocessor to itself.
  int64_t registersAlone = 0;
  int64_t workgroupBytesAlone = 0;
  /// Of those registers what estimates may take in the largest blocks.
  int64_t registersPlannedAlone = 0;
};

struct MergePlan {
  std::array<int64_t, 3> blocks = {1, 1, 1};
  std::array<int64_t, 3> threads = {1, 1, 1};
  /// How many of a thread's items are neighbours; divides `threads`.
  std::array<int64_t, 3> contiguous = {1, 1, 1};
  bool operator==(const MergePlan &) const = default;
};

MergeLimits computeMergeLimits(TargetAttr target, int64_t declaredBytes);

/// Registers that a thread needs after `plan`, roughly.
int64_t estimateRegisters(const MergeSummary &kernel, const MergePlan &plan);

/// The fewest registers that do for a thread after `plan`, roughly: as above,
/// but of the loads with the most copies only one is alive at a time, and no
/// addresses are kept. For a product of 8 x 4 items: 24 + 32 sums + 4 elements
/// of a + 1 of b.
int64_t estimateFewestRegisters(const MergeSummary &kernel,
                                const MergePlan &plan);

/// Workgroup memory that a block needs after `plan`.
int64_t estimateWorkgroupBytes(const MergeSummary &kernel,
                               const MergePlan &plan);

MergePlan computeMergePlan(const MergeSummary &kernel,
                           const MergeLimits &limits);

/// Whether `plan` counts on the assembler to need fewer registers than
/// `estimateRegisters` says.
bool isTight(const MergeSummary &kernel, const MergePlan &plan,
             const MergeLimits &limits);

/// Whether two blocks of 16 x 16 threads, each with 4 x 4 items of a product of
/// elements of `elementWords` words, fit on a multiprocessor of `target`.
/// Where they do, both operands are best shared by a square of threads, which
/// is merged along both directions; where not, by a row of threads with several
/// rows of items, merged along one: 24 + 16 + 4 + 1 registers are 11520 for 256
/// threads, a GTX 480 has 16384 for one of two blocks, a GTX 285 has 8192.
bool fitsSquareBlocks(TargetAttr target, int64_t elementWords);

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_MERGE_MERGEPLAN_H
