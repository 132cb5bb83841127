//===- MergePlan.cpp - how many blocks and threads to merge ---------------===//

#include "passes/Transforms/Merge/MergePlan.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <map>

using namespace gpuopt;

MergeLimits gpuopt::computeMergeLimits(TargetAttr target,
                                       int64_t declaredBytes) {
  MergeLimits limits;
  limits.threadsPerBlock = target.getThreadsPerWorkgroup();
  limits.threadsAimedAt = target.getThreadsPerWorkgroup() / 4;
  limits.fewestThreads = 2 * target.getSubgroupSize();
  limits.registersPerThread = target.getRegistersPerThread();
  limits.registersPerBlock = target.getRegistersPerMultiprocessor() / 2;
  limits.workgroupBytes = std::min(
      declaredBytes, target.getWorkgroupMemoryPerMultiprocessorBytes() / 2);
  limits.registersAlone = target.getRegistersPerMultiprocessor();
  // Of the largest blocks threads have so few that what an estimate leaves out
  // spills: on AMD's GPUs, whose addresses take two of each thread's, more.
  limits.registersPlannedAlone =
      limits.registersAlone / 16 * (target.getVendor() == Vendor::AMD ? 9 : 14);
  limits.workgroupBytesAlone = std::min(
      declaredBytes, target.getWorkgroupMemoryPerMultiprocessorBytes());
  return limits;
}

/// Registers of a thread for ids, bounds, the loop's counter and what the
/// assembler needs for itself; the most items of a thread; and with how many
/// registers their sums fit beside the former.
static constexpr int64_t kBase = 24, kMostItems = 64,
                         kAmple = kBase + kMostItems;

/// Copies of what is `variant` in some dimensions, merged by `factors`.
static int64_t copies(const std::array<bool, 3> &variant,
                      const std::array<int64_t, 3> &factors) {
  int64_t count = 1;
  for (unsigned dim = 0; dim < 3; ++dim)
    count *= variant[dim] ? factors[dim] : 1;
  return count;
}

int64_t gpuopt::estimateRegisters(const MergeSummary &kernel,
                                  const MergePlan &plan) {
  constexpr int64_t address = 2;
  int64_t registers = kBase + kernel.carriedRegisters *
                                  copies({true, true, true}, plan.threads);
  for (const MergedData &load : kernel.loads)
    registers += load.size * copies(load.variant, plan.threads);
  // An array that each item has its own of is filled from addresses of its own.
  for (const MergedData &array : kernel.arrays)
    if (array.isReplicated)
      registers += address * (copies(array.variant, plan.threads) - 1);
  return registers;
}

int64_t gpuopt::estimateFewestRegisters(const MergeSummary &kernel,
                                        const MergePlan &plan) {
  // Tiles that a block makes for each item are equally far apart in memory:
  // their addresses need not be kept.
  MergeSummary withoutAddresses = kernel;
  withoutAddresses.arrays.clear();
  // Groups of loads that the same items share: each is loaded when its first
  // operation needs it, and gone after its last.
  std::map<std::array<bool, 3>, std::pair<int64_t, int64_t>> groups;
  for (const MergedData &load : kernel.loads) {
    auto &[registers, widest] = groups[load.variant];
    registers += load.size * copies(load.variant, plan.threads);
    widest = std::max(widest, load.size);
  }
  int64_t saved = 0;
  for (const auto &[variant, sizes] : groups)
    saved = std::max(saved, sizes.first - sizes.second);
  return estimateRegisters(withoutAddresses, plan) - saved;
}

int64_t gpuopt::estimateWorkgroupBytes(const MergeSummary &kernel,
                                       const MergePlan &plan) {
  int64_t bytes = 0;
  for (const MergedData &array : kernel.arrays)
    bytes += array.size * copies(array.variant, plan.threads) *
             copies(array.variant, plan.blocks);
  return bytes;
}

static int64_t product(const std::array<int64_t, 3> &values) {
  return values[0] * values[1] * values[2];
}

/// An estimate of a thread's registers: a cautious one, or the fewest.
using RegisterEstimate = int64_t(const MergeSummary &, const MergePlan &);

/// Whether two blocks fit on a multiprocessor without spilling.
static bool fits(const MergeSummary &kernel, const MergePlan &plan,
                 const MergeLimits &limits,
                 RegisterEstimate estimate = estimateRegisters) {
  int64_t threads = product(kernel.block) * product(plan.blocks);
  int64_t registers = estimate(kernel, plan);
  return threads <= limits.threadsPerBlock &&
         registers <= limits.registersPerThread &&
         registers * threads <= limits.registersPerBlock &&
         estimateWorkgroupBytes(kernel, plan) <= limits.workgroupBytes;
}

bool gpuopt::isTight(const MergeSummary &kernel, const MergePlan &plan,
                     const MergeLimits &limits) {
  int64_t threads = product(kernel.block) * product(plan.blocks);
  int64_t registers = estimateRegisters(kernel, plan);
  return registers > limits.registersPerThread ||
         registers * threads >
             std::max(limits.registersPerBlock, limits.registersAlone);
}

bool gpuopt::fitsSquareBlocks(TargetAttr target, int64_t elementWords) {
  constexpr int64_t tileBytes = 16 * 16 * 4;
  MergeSummary square = {.block = {16, 16, 1},
                         .hasBlocks = {true, true, false},
                         .hasLoop = true,
                         .carriedRegisters = elementWords};
  for (std::array<bool, 3> variant :
       {std::array{false, true, false}, std::array{true, false, false}}) {
    square.loads.push_back({elementWords, variant});
    square.arrays.push_back({tileBytes * elementWords, variant});
  }
  MergeLimits limits =
      computeMergeLimits(target, target.getWorkgroupMemoryPerWorkgroupBytes());
  return fits(square, {{1, 1, 1}, {4, 4, 1}}, limits, estimateFewestRegisters);
}

/// Lets the block grow to the number of threads aimed at.
static void planBlocks(const MergeSummary &kernel, const MergeLimits &limits,
                       MergePlan &plan) {
  bool isFlat = !kernel.hasBlocks[1] && !kernel.hasBlocks[2];
  unsigned dim = isFlat || kernel.block[1] == 1 ? 0 : 1;
  int64_t aim = limits.threadsAimedAt;
  if (isFlat && kernel.hasLoop)
    aim /= 2;
  if (!kernel.hasBlocks[dim])
    return;
  MergePlan larger = plan;
  while (product(kernel.block) * product(larger.blocks) * 2 <= aim) {
    larger.blocks[dim] *= 2;
    if (fits(kernel, larger, limits))
      plan = larger;
  }
}

/// Whether a thread with several items along `dim` uses some load for all.
static bool isShared(const MergeSummary &kernel, unsigned dim) {
  return kernel.hasBlocks[dim] &&
         llvm::any_of(kernel.loads, [&](const MergedData &load) {
           return !load.variant[dim];
         });
}

/// The most items of a thread: code grows with them.
static int64_t mostItemsOf(const MergeSummary &kernel) {
  constexpr int64_t mostOperations = 4096;
  return std::min(kMostItems,
                  mostOperations / std::max<int64_t>(kernel.operations, 1));
}

/// Doubles the items of a thread in turn along the dimensions that share data.
static void planThreads(const MergeSummary &kernel, const MergeLimits &limits,
                        MergePlan &plan,
                        RegisterEstimate estimate = estimateRegisters) {
  constexpr int64_t mostPerDimension = 8;
  int dimensions = llvm::count(kernel.hasBlocks, true);
  if (!kernel.hasLoop || dimensions < 2)
    return;
  bool hasGrown = true;
  while (hasGrown) {
    hasGrown = false;
    for (unsigned dim : {1u, 0u, 2u}) {
      MergePlan larger = plan;
      larger.threads[dim] *= 2;
      if (!isShared(kernel, dim) || larger.threads[dim] > mostPerDimension ||
          product(larger.threads) > mostItemsOf(kernel) ||
          !fits(kernel, larger, limits, estimate))
        continue;
      plan = larger;
      hasGrown = true;
    }
  }
}

/// Gives threads items along the dimensions in which tiles have large halos.
static void planHalos(const MergeSummary &kernel, const MergeLimits &limits,
                      MergePlan &plan) {
  constexpr int64_t mostPerDimension = 4;
  constexpr double smallShare = 0.1;
  if (kernel.hasLoop)
    return;
  for (unsigned dim : {1u, 0u, 2u}) {
    double share = 0;
    for (const MergedData &array : kernel.arrays)
      share = std::max(share, array.halo[dim]);
    MergePlan larger = plan;
    while (share / larger.threads[dim] > smallShare &&
           larger.threads[dim] < mostPerDimension) {
      larger.threads[dim] *= 2;
      if (fits(kernel, larger, limits))
        plan = larger;
    }
  }
}

/// Lets a kernel that only streams do so by vectors, along one dimension.
static void planStream(const MergeSummary &kernel, const MergeLimits &limits,
                       MergePlan &plan) {
  if (kernel.hasLoop)
    return;
  for (unsigned dim = 0; dim < 3; ++dim) {
    MergePlan larger = plan;
    larger.threads[dim] = kernel.vectorItems[dim];
    if (kernel.vectorItems[dim] == 1 || !kernel.hasBlocks[dim] ||
        !fits(kernel, larger, limits))
      continue;
    plan = larger;
    return;
  }
}

/// Makes items neighbours where they can be accessed as vectors.
static void planOwnership(const MergeSummary &kernel, MergePlan &plan) {
  for (unsigned dim = 0; dim < 3; ++dim)
    plan.contiguous[dim] = std::min(plan.threads[dim], kernel.vectorItems[dim]);
}

/// Whether blocks are rows of threads that share what rows of the grid load,
/// along y.
static bool hasSharedRows(const MergeSummary &kernel) {
  return kernel.hasLoop && kernel.hasBlocks[0] && kernel.block[0] > 1 &&
         kernel.block[1] == 1 && kernel.block[2] == 1 && isShared(kernel, 1);
}

/// Registers go to the items of a thread first, along y as many as a tile has
/// rows, then along x; what is left, to more threads of the row.
static void planRows(const MergeSummary &kernel, const MergeLimits &limits,
                     MergePlan &plan) {
  constexpr int64_t mostAlongY = 16, mostAlongX = 8;
  MergeLimits fewThreads = limits;
  fewThreads.registersPerBlock =
      std::min(limits.registersPerBlock,
               limits.registersPerBlock * product(kernel.block) /
                   std::max<int64_t>(limits.fewestThreads, 1));
  for (auto [dim, most] : {std::pair(1u, mostAlongY), {0u, mostAlongX}})
    while (isShared(kernel, dim) && plan.threads[dim] < most) {
      MergePlan larger = plan;
      larger.threads[dim] *= 2;
      if (product(larger.threads) > mostItemsOf(kernel) ||
          !fits(kernel, larger, fewThreads, estimateFewestRegisters))
        break;
      plan = larger;
    }
  while (product(kernel.block) * product(plan.blocks) * 2 <=
         limits.threadsAimedAt) {
    MergePlan larger = plan;
    larger.blocks[0] *= 2;
    if (!fits(kernel, larger, limits, estimateFewestRegisters))
      break;
    plan = larger;
  }
}

/// Squares, and kernels of one dimension: the block comes first.
static void planBlocksAndThreads(const MergeSummary &kernel,
                                 const MergeLimits &limits, MergePlan &plan) {
  planBlocks(kernel, limits, plan);
  planThreads(kernel, limits, plan);
  // Fewer items than that leave most of the reuse in registers unused; fewer
  // threads than that, the latency of dependent operations (section 4.1).
  constexpr int64_t enoughItems = 16, enoughThreads = 192;
  if (product(plan.threads) < enoughItems &&
      product(kernel.block) * product(plan.blocks) >= enoughThreads) {
    MergeLimits alone = limits;
    bool isLargest = 2 * product(kernel.block) * product(plan.blocks) >
                     limits.threadsPerBlock;
    alone.registersPerBlock = std::max(limits.registersPerBlock,
                                       isLargest ? limits.registersPlannedAlone
                                                 : limits.registersAlone);
    alone.workgroupBytes =
        std::max(limits.workgroupBytes, limits.workgroupBytesAlone);
    planThreads(kernel, alone, plan);
  } else if (kernel.loadsTilesOnly && limits.registersPerThread < kAmple) {
    planThreads(kernel, limits, plan, estimateFewestRegisters);
  }
}

MergePlan gpuopt::computeMergePlan(const MergeSummary &kernel,
                                   const MergeLimits &limits) {
  MergePlan plan;
  if (hasSharedRows(kernel))
    planRows(kernel, limits, plan);
  else
    planBlocksAndThreads(kernel, limits, plan);
  planHalos(kernel, limits, plan);
  planStream(kernel, limits, plan);
  planOwnership(kernel, plan);
  return plan;
}
