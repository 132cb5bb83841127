//===- PrefetchPlan.cpp - how far ahead to load, and where to -------------===//

#include "passes/Transforms/Prefetch/PrefetchPlan.h"

#include "passes/Analysis/Occupancy.h"

using namespace gpuopt;

/// Time from a load of global memory to its data under load; between 400 and
/// 900 ns on all targets described.
static constexpr int64_t kLatencyNanoseconds = 800;

/// Bytes that a multiprocessor must have on their way to use its part of the
/// bandwidth.
static int64_t bytesInFlight(TargetAttr target) {
  return target.getBandwidthGbps() * kLatencyNanoseconds /
         target.getMultiprocessors();
}

namespace {
/// Answers how many blocks fit.
class Room {
public:
  Room(const PrefetchSummary &summary, TargetAttr machine, bool isForced)
      : kernel(summary), target(machine) {
    needed = isForced ? 1 : std::max<int64_t>(1, blocks(1, 0));
    // A unit that warpgroups share needs no more to be busy.
    if (kernel.ofWarpgroups)
      needed = std::min<int64_t>(needed, 2);
  }

  /// Blocks that fit with so many stages and additional registers.
  int64_t blocks(int64_t stages, int64_t registers) const {
    int64_t bytes = kernel.otherBytes + stages * kernel.tileBytes;
    if (bytes > kernel.mostBytes)
      return 0;
    return computeOccupancy(
               {kernel.threads, kernel.registers + registers, bytes}, target)
        .blocksPerMultiprocessor;
  }
  bool fits(int64_t stages, int64_t registers) const {
    return blocks(stages, registers) >= needed;
  }

  int64_t needed = 1;

private:
  const PrefetchSummary &kernel;
  TargetAttr target;
};
} // namespace

/// The fewest stages whose fills cover the latency.
static int64_t wantedStages(const PrefetchSummary &kernel, TargetAttr target,
                            int64_t blocks) {
  if (kernel.ofWarpgroups)
    return kMostStages;
  int64_t stages = 2;
  while (stages < kMostStages &&
         (stages - 1) * kernel.tileBytes * blocks < bytesInFlight(target))
    ++stages;
  return stages;
}

/// Why what only asynchronous copies can load ahead is not.
static std::string whyNoCopies(const PrefetchSummary &kernel, const Room &room,
                               int64_t stages) {
  if (!kernel.mayStage || !kernel.mayCopyAsync || stages == 1)
    return "what is loaded differs from block to block, and cannot be copied "
           "asynchronously";
  if (room.blocks(1, 0) == 0)
    return std::to_string(kernel.registers) +
           " registers are too many for a block";
  return "two stages of the tiles leave room for fewer than " +
         std::to_string(room.needed) + " blocks";
}

PrefetchPlan gpuopt::computePrefetchPlan(const PrefetchSummary &kernel,
                                         TargetAttr target, int64_t stages) {
  Room room(kernel, target, /*isForced=*/stages != 0);
  if (kernel.mayStage && kernel.mayCopyAsync && stages != 1) {
    int64_t wanted =
        stages ? stages : wantedStages(kernel, target, room.needed);
    for (int64_t count = wanted; count > 1; --count)
      if (room.fits(count, 0))
        return {PrefetchMethod::AsyncStages, count, ""};
  }
  if (!kernel.mayCarry)
    return {PrefetchMethod::None, 1, whyNoCopies(kernel, room, stages)};
  int64_t registers = kernel.carriedRegisters;
  if (kernel.mayStage && stages != 1 && room.fits(2, registers))
    return {PrefetchMethod::RegisterStages, 2, ""};
  if (room.fits(1, registers))
    return {PrefetchMethod::Registers, 1, ""};
  return {PrefetchMethod::None, 1,
          std::to_string(kernel.registers) + " registers and " +
              std::to_string(registers) + " more for what is loaded ahead " +
              (room.blocks(1, registers) == 0
                   ? "are too many for a block"
                   : "leave room for fewer than " +
                         std::to_string(room.needed) + " blocks")};
}
