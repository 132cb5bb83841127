//===- KernelProfile.h - what a block of a kernel does ----------*- C++ -*-===//
//
// The work of one block that lies inside the bounds, counted: arithmetic of a
// thread, accesses, sectors, wavefronts, and how often a thread waits for
// global memory. It is what a performance model needs to know of a kernel, and
// it follows from the IR alone, exactly where trip counts and addresses are
// known (see Traffic.h for what is assumed otherwise).
//
// A profile of a kernel whose blocks and threads are not merged yet also tells
// what merging would make of it (`mergeProfile`), without any code: of what
// neighbours share there is one, of all else one for each. For the matrix
// product of 16 x 16 threads and tiles, for each iteration over 16 of k:
//
//   per block          alone    8 x 8 items a thread
//   sectors of a        32      32 * 8       (rows are the items' along y)
//   sectors of b        32      32 * 8
//   multiply-adds       16      16 * 64      of a thread
//   reads of tile a     16      16 * 8       of a thread
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_ANALYSIS_KERNELPROFILE_H
#define PASSES_ANALYSIS_KERNELPROFILE_H

#include "passes/Analysis/AccessFunction.h"

namespace gpuopt {

/// One load or store.
struct AccessProfile {
  AccessKind kind = AccessKind::Load;
  MemorySpace space = MemorySpace::Global;
  std::string array;
  /// Bytes that a thread moves at once.
  int64_t bytes = 0;
  /// Instructions of a thread, the mean over the block.
  double perThread = 0;
  /// Of global accesses: sectors that a block moves.
  double sectors = 0;
  /// Of workgroup accesses: wavefronts that a block takes.
  double wavefronts = 0;
  /// Of workgroup accesses: the most wavefronts of a request.
  int64_t bankConflictDegree = 0;
  /// The innermost loop around it, by number; -1 where there is none.
  int loop = -1;
  /// How often that loop's body runs.
  double rounds = 1;
  /// Whether blocks along x, y, z access different addresses.
  std::array<bool, 3> blockVariant = {false, false, false};
  /// Whether work items along x, y, z do.
  std::array<bool, 3> itemVariant = {false, false, false};
};

struct KernelProfile {
  int64_t threads = 1;
  /// Floating-point operations of a thread, a multiply with its add as one.
  double arithmetic = 0;
  /// How many of them do not depend on each other: work items of a thread.
  double independent = 1;
  /// Instructions of a thread besides these and the accesses, where the profile
  /// is of a kernel in IR: see OtherInstructions.h.
  double others = 0;
  /// Barriers that a thread meets.
  double barriers = 0;
  std::vector<AccessProfile> accesses;
  std::vector<std::string> assumptions;
  /// See Executions.
  bool standsForAll = true;

  /// Loads and stores of a thread.
  double accessesPerThread() const;
  /// Sectors and wavefronts of a block.
  double sectors() const;
  double wavefronts() const;
  /// How often a thread waits for global memory inside loops (once for all
  /// loads of an iteration), and outside of them.
  double loopRounds() const;
  double straightRounds() const;
};

/// The profile of `kernel`, a gpu.func, for blocks of shape `block`. A thread
/// covers `itemsPerThread` work items.
KernelProfile computeKernelProfile(mlir::Operation *kernel, TargetAttr target,
                                   const BlockShape &block,
                                   int64_t itemsPerThread,
                                   const SizeMap &sizes = {});

/// How many blocks and threads become one, and how many neighbouring items the
/// accesses of a thread take at once along each dimension.
struct ProfileMerge {
  std::array<int64_t, 3> blocks = {1, 1, 1};
  std::array<int64_t, 3> threads = {1, 1, 1};
  std::array<int64_t, 3> contiguous = {1, 1, 1};
};

/// What `merge` makes of `profile`, if nothing stands in its way.
KernelProfile mergeProfile(const KernelProfile &profile,
                           const ProfileMerge &merge);

} // namespace gpuopt

#endif // PASSES_ANALYSIS_KERNELPROFILE_H
