//===- PrefetchPlan.h - how far ahead to load, and where to -----*- C++ -*-===//
//
// Where the data of later iterations waits for its use, decided on a summary of
// the kernel. Prefetching is worth no block: as many must fit on a
// multiprocessor as without (the paper skips it "when registers are used up").
// In the order of preference, for a kernel of 256 threads and 96 registers with
// tiles of 16 KiB, 16 registers of each thread:
//
//   target                  plan
//   sm_90, async copies     2 stages by asynchronous copies: two blocks have
//                           32 KiB on their way, which is more than bandwidth
//                           times latency, 28 KiB per multiprocessor
//   sm_70, none             2 stages by way of registers: 112 registers and
//                           32 KiB still leave room for two blocks
//   tiles of 32 KiB         1 stage, 112 registers
//   124 registers           nothing: with 140 one block would be left
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_TRANSFORMS_PREFETCH_PREFETCHPLAN_H
#define PASSES_TRANSFORMS_PREFETCH_PREFETCHPLAN_H

#include "dialects/GPUOpt/GPUOptAttrs.h"

#include <string>

namespace gpuopt {

/// What the plan depends on.
struct PrefetchSummary {
  int64_t threads = 0;
  /// 32-bit registers of a thread without prefetching.
  int64_t registers = 0;
  /// 32-bit registers that hold what a fill loads.
  int64_t carriedRegisters = 0;
  /// Whether registers can hold it: all blocks load the same.
  bool mayCarry = true;
  /// Bytes of one stage of the loop's tiles, and of all other arrays.
  int64_t tileBytes = 0;
  int64_t otherBytes = 0;
  /// Most bytes that a block may declare.
  int64_t mostBytes = 0;
  /// Whether tiles may have several stages, and be filled by asynchronous
  /// copies.
  bool mayStage = false;
  bool mayCopyAsync = false;
  /// Whether products of warpgroups use the tiles: nothing else needs what
  /// workgroup memory is left.
  bool ofWarpgroups = false;
};

enum class PrefetchMethod { None, Registers, RegisterStages, AsyncStages };

struct PrefetchPlan {
  PrefetchMethod method = PrefetchMethod::None;
  /// 1 where the tiles stay as they are.
  int64_t stages = 1;
  /// Why not more.
  std::string reason;
  bool operator==(const PrefetchPlan &) const = default;
};

/// The most stages that are of use.
inline constexpr int64_t kMostStages = 4;

/// `stages` is what the user asks for, 0 for what suits the target; fewer are
/// planned where they do not fit.
PrefetchPlan computePrefetchPlan(const PrefetchSummary &kernel,
                                 TargetAttr target, int64_t stages = 0);

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_PREFETCH_PREFETCHPLAN_H
