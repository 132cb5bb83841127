//===- PerformanceModel.h - how long a launch takes -------------*- C++ -*-===//
//
// An analytical model that ranks designs of one kernel on one target. Its
// inputs are counts (KernelProfile.h), the use of registers and workgroup
// memory, and the machine description; it looks at no clock and has no state,
// so equal inputs give equal answers. It is meant to tell better from worse;
// its seconds are not a promise.
//
// A multiprocessor with r resident blocks needs for them
//
//   cycles(r) = max(r * throughput, path)
//   throughput = overlap(issue, shared, global)     of one block
//   issue      = instructions * threads / lanes
//   shared     = wavefronts of workgroup memory, one each cycle
//   global     = sectors * sector_bytes / 64        (64 bytes each cycle [1])
//   path       = what one block takes by itself: its own arithmetic (or
//                `instructions` times the latency that its independent items
//                leave open), the latency of global memory for each time that
//                it has to wait, and its barriers
//
// in the manner of Hong and Kim [2]: while other blocks have work to do,
// waiting costs nothing (cycles = r * throughput), with too few of them it does
// (path). Loads that are prefetched d iterations ahead wait latency / d for
// each iteration, and that beside the arithmetic; others wait before it. The
// grid runs in rounds of r * multiprocessors blocks; the last one has fewer
// (tail).
//
//   seconds = overlap(rounds * cycles / clock, DRAM bytes / bandwidth)
//
// overlap(a, b, …) is the largest plus a tenth of the rest: pipelines that work
// side by side do not do so perfectly.
//
// DRAM bytes: in a round, each block brings what it alone needs, and what
// blocks share along a dimension is brought once for all that run at the same
// time (block ids are taken in order, x fastest, or in groups of rows that are
// worked on column by column). Across rounds data stays in
// the L2 cache only where all of the kernel's data fits. Targets with the
// half-warp rule have no such cache: every sector that is asked for comes from
// DRAM.
//
// Lanes: f32_gflops = 2 * lanes * multiprocessors * clock with the power of two
// for `lanes` that brings the clock nearest to 1.5 GHz; it is right for all
// NVIDIA chips described, and for AMD's but for a factor below two.
//
//   [1] Jia et al. 2018, Dissecting the NVIDIA Volta GPU Architecture via
//       Microbenchmarking, chapter 3 (L2 to multiprocessor); AMD CDNA 3
//       instruction set architecture (64 bytes per clock to the vector L1).
//   [2] Hong and Kim 2009, An Analytical Model for a GPU Architecture with
//       Memory-level and Thread-level Parallelism Awareness, ISCA.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_ANALYSIS_PERFORMANCEMODEL_H
#define PASSES_ANALYSIS_PERFORMANCEMODEL_H

#include "passes/Analysis/KernelProfile.h"

namespace gpuopt {

/// What the model needs to know of one launch.
struct LaunchProfile {
  KernelProfile kernel;
  /// Blocks in x, y, z.
  std::array<int64_t, 3> grid = {1, 1, 1};
  /// Rows of blocks that are worked on together, column by column; 1 is the
  /// launch's order.
  int64_t group = 1;
  /// Blocks that a multiprocessor holds at once; 0 where not even one fits.
  int64_t blocksPerMultiprocessor = 1;
  /// Instructions for each floating-point operation and access: 1 is what the
  /// counts themselves say, more with addresses, branches and conversions.
  double instructionsPerOperation = 1;
  /// Instructions of a thread beside these.
  double otherInstructions = 0;
  /// By how many iterations loads of global memory run ahead; 0: not at all.
  int64_t prefetchDistance = 0;
};

/// What a launch takes and where it goes.
struct Prediction {
  /// Infinite where no block fits.
  double seconds = 0;
  /// Cycles of one block by resource.
  double issueCycles = 0;
  double sharedCycles = 0;
  double globalCycles = 0;
  double pathCycles = 0;
  /// Rounds of resident blocks, the last one included.
  int64_t rounds = 0;
  double dramBytes = 0;
  /// What decides: `issue`, `workgroup memory`, `L2`, `latency` or `DRAM`.
  llvm::StringRef limit;
};

/// Cycles of a multiprocessor in a second.
double clockOf(TargetAttr target);

/// Bytes that a multiprocessor gets from the L2 cache in a cycle.
inline constexpr double kGlobalBytesPerCycle = 64;

Prediction predictLaunch(const LaunchProfile &launch, TargetAttr target);

} // namespace gpuopt

#endif // PASSES_ANALYSIS_PERFORMANCEMODEL_H
