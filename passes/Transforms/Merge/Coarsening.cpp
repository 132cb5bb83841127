//===- Coarsening.cpp - several work items for a thread -------------------===//

#include "passes/Transforms/Merge/Coarsening.h"

#include "passes/Analysis/CollectiveLoops.h"
#include "passes/Analysis/Occupancy.h"
#include "passes/Analysis/TimeBudget.h"
#include "passes/Transforms/Merge/MergeBlocks.h"
#include "passes/Transforms/Merge/MergeThreads.h"
#include "passes/Transforms/Utils/ItemModel.h"
#include "passes/Transforms/Utils/Kernels.h"
#include "passes/Transforms/Utils/RegisterPressure.h"
#include "passes/Transforms/Utils/WorkgroupMemory.h"

#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/CSE.h"

#include <cmath>

using namespace mlir;
using namespace gpuopt;

//===----------------------------------------------------------------------===//
// Cost
//===----------------------------------------------------------------------===//

/// The launch with so many more blocks along a dimension that has several that
/// the machine is full nearly all the time. Returns how many times as many.
static double fillMachine(LaunchProfile &launch, TargetAttr target) {
  constexpr double rounds = 16;
  double atOnce = static_cast<double>(launch.blocksPerMultiprocessor) *
                  target.getMultiprocessors();
  double blocks = static_cast<double>(llvm::product_of(launch.grid));
  int64_t more =
      std::max<int64_t>(1, static_cast<int64_t>(rounds * atOnce / blocks + 1));
  auto dim = llvm::max_element(launch.grid);
  *dim *= more;
  return static_cast<double>(more);
}

static ItemCost computeItemCost(gpu::GPUFuncOp kernel, TargetAttr target) {
  BlockShape block = {1, 1, 1};
  llvm::copy(geometryOf(kernel).getBlock(), block.begin());
  ItemCost cost;
  ModelledLaunch launch = assumeLaunch(kernel, target, block, {});
  LaunchProfile &profile = launch.profile;
  cost.reportedNanoseconds =
      predictLaunch(profile, target).seconds * 1e9 / launch.items;

  const KernelProfile &counts = profile.kernel;
  double items = static_cast<double>(
      llvm::product_of(geometryOf(kernel).getItemsPerBlock()));
  cost.instructions = (counts.arithmetic + counts.accessesPerThread() +
                       counts.others + counts.barriers) *
                      counts.threads / items;
  cost.sectors = counts.sectors() / items;
  for (const AccessProfile &access : counts.accesses)
    if (access.kind == AccessKind::Store && access.space == MemorySpace::Global)
      cost.stores += access.perThread * counts.threads / items;
  cost.wavefronts = counts.wavefronts() / items;
  cost.standsForAll = counts.standsForAll;
  cost.registers = estimateRegisters(kernel);
  cost.workgroupBytes = workgroupBytes(kernel);
  profile.blocksPerMultiprocessor =
      computeOccupancy(
          {counts.threads,
           std::min(cost.registers, target.getRegistersPerThread()),
           cost.workgroupBytes},
          target)
          .blocksPerMultiprocessor;
  profile.otherInstructions = counts.others;
  constexpr int64_t unrolled = 4;
  profile.prefetchDistance = unrolled;
  double covered = launch.items * fillMachine(profile, target);
  Prediction full = predictLaunch(profile, target);
  cost.nanoseconds = full.seconds * 1e9 / covered;
  cost.memoryNanoseconds = full.dramBytes / target.getBandwidthGbps() / covered;
  return cost;
}

std::optional<ItemCost>
gpuopt::costOfCopy(gpu::GPUFuncOp kernel,
                   llvm::function_ref<bool(gpu::GPUFuncOp)> change,
                   TargetAttr target) {
  OpBuilder builder(kernel);
  auto copy = cast<gpu::GPUFuncOp>(builder.clone(*kernel));
  std::optional<ItemCost> cost;
  if (change(copy)) {
    IRRewriter rewriter(kernel.getContext());
    DominanceInfo dominance(copy);
    eliminateCommonSubExpressions(rewriter, dominance, copy);
    cost = computeItemCost(copy, target);
  }
  copy.erase();
  return cost;
}

//===----------------------------------------------------------------------===//
// Choice
//===----------------------------------------------------------------------===//

/// Whether a guard bounds the work items along `dim`, and not by what one block
/// does.
static bool isGuarded(GeometryAttr geometry, unsigned dim) {
  ArrayAttr extents = geometry.getExtents();
  if (!extents || dim >= extents.size())
    return false;
  auto extent = dyn_cast<AffineMapAttr>(extents[dim]);
  if (!extent)
    return false;
  auto number =
      dyn_cast<AffineConstantExpr>(extent.getAffineMap().getResult(0));
  return !number || number.getValue() > geometry.getItemsPerBlock()[dim];
}

/// Along which dimensions blocks may be merged whatever their number is.
static SmallVector<gpu::Dimension>
findGuardedDimensions(gpu::GPUFuncOp kernel) {
  std::array<bool, 3> hasBlocks = {};
  kernel.getBody().walk([&](gpu::BlockIdOp id) {
    hasBlocks[static_cast<unsigned>(id.getDimension())] = true;
  });
  SmallVector<gpu::Dimension> guarded;
  for (unsigned dim : {1u, 0u, 2u})
    if (hasBlocks[dim] && isGuarded(geometryOf(kernel), dim))
      guarded.push_back(static_cast<gpu::Dimension>(dim));
  return guarded;
}

/// What a work item takes of `kernel` merged by `threads`; nothing where that
/// is not possible.
static std::optional<ItemCost> tryFactors(gpu::GPUFuncOp kernel,
                                          ArrayRef<int64_t> threads,
                                          TargetAttr target) {
  bool hasTiles = kernel
                      .walk([](affine::AffineParallelOp loop) {
                        return isCollective(loop) ? WalkResult::interrupt()
                                                  : WalkResult::advance();
                      })
                      .wasInterrupted();
  auto merge = [&](gpu::GPUFuncOp copy) {
    for (auto [dim, factor] : llvm::enumerate(threads)) {
      if (factor == 1)
        continue;
      auto outcome = tryMergingThreads(
          copy, {static_cast<gpu::Dimension>(dim), factor}, target);
      const auto *arrays = std::get_if<MergedArrays>(&outcome);
      if (!arrays || (hasTiles && arrays->perReplica + arrays->grown > 0))
        return false;
    }
    return true;
  };
  return costOfCopy(kernel, merge, target);
}

/// The share of its time that a kernel must save to be changed.
static constexpr double kWorthwhile = 0.1;
/// What is no more, but for rounding.
static constexpr double kEqual = 1 + 1e-6;

bool gpuopt::isWorthwhile(const ItemCost &after, const ItemCost &before) {
  // Infinite where not even one block fits.
  return std::isfinite(before.nanoseconds) &&
         std::isfinite(after.nanoseconds) &&
         after.nanoseconds <= (1 - kWorthwhile) * before.nanoseconds &&
         after.reportedNanoseconds <= kEqual * before.reportedNanoseconds &&
         after.sectors <= kEqual * before.sectors;
}

static bool isBetter(const ItemCost &after, const ItemCost &before,
                     TargetAttr target) {
  constexpr double alike = 0.01;
  return isWorthwhile(after, before) &&
         after.wavefronts <= kEqual * before.wavefronts &&
         after.stores >= (1 - alike) * before.stores &&
         after.registers <= mostCoarsenedRegisters(target);
}

std::optional<ItemCost> gpuopt::tryPlan(gpu::GPUFuncOp kernel,
                                        const MergePlan &plan,
                                        TargetAttr target) {
  auto merge = [&](gpu::GPUFuncOp copy) {
    for (auto [dim, factor] : llvm::enumerate(plan.blocks))
      if (factor > 1 &&
          std::holds_alternative<Refusal>(tryMergingBlocks(
              copy, {static_cast<gpu::Dimension>(dim), factor}, target)))
        return false;
    for (auto [dim, factor] : llvm::enumerate(plan.threads))
      if (factor > 1 &&
          std::holds_alternative<Refusal>(tryMergingThreads(
              copy, {static_cast<gpu::Dimension>(dim), factor}, target)))
        return false;
    return true;
  };
  return costOfCopy(kernel, merge, target);
}

bool gpuopt::isSlower(const ItemCost &after, const ItemCost &before) {
  // Less is within what the model knows.
  constexpr double more = 1.01, longer = 1.05;
  return before.standsForAll && after.standsForAll &&
         std::isfinite(before.nanoseconds) &&
         std::isfinite(after.nanoseconds) &&
         before.stores <= more * after.stores &&
         after.stores <= more * before.stores &&
         (after.sectors > more * before.sectors ||
          after.wavefronts > more * before.wavefronts) &&
         after.nanoseconds > longer * before.nanoseconds &&
         after.reportedNanoseconds > longer * before.reportedNanoseconds;
}

int64_t gpuopt::mostCoarsenedRegisters(TargetAttr target) {
  return target.getRegistersPerThread() / 2;
}

int Coarsening::gainPercent() const {
  return static_cast<int>(
      std::lround(100 * (1 - after.nanoseconds / before.nanoseconds)));
}

/// The most items of a thread that a copy of `kernel` is tried with: code and
/// the time to compile grow with them.
static int64_t mostItemsOf(gpu::GPUFuncOp kernel) {
  constexpr int64_t most = 8, mostOperations = 2048;
  int64_t operations = 0;
  kernel.walk([&](Operation *) { ++operations; });
  return std::min(most, mostOperations / operations);
}

Coarsening gpuopt::chooseCoarsening(gpu::GPUFuncOp kernel, TargetAttr target) {
  Coarsening choice;
  SmallVector<gpu::Dimension> dimensions = findGuardedDimensions(kernel);
  if (dimensions.empty()) {
    choice.reason = "no guard counts its blocks, which would have to come in "
                    "multiples";
    return choice;
  }
  choice.before = choice.after = *tryFactors(kernel, choice.threads, target);
  if (choice.before.memoryNanoseconds >
      (1 - kWorthwhile) * choice.before.nanoseconds) {
    choice.reason = "its time is that of DRAM";
    return choice;
  }
  int64_t mostItems = mostItemsOf(kernel);
  bool hasGrown = true;
  while (hasGrown && 2 * llvm::product_of(choice.threads) <= mostItems &&
         hasTime(kernel.getContext())) {
    hasGrown = false;
    std::array<int64_t, 3> tried = choice.threads;
    for (gpu::Dimension dim : dimensions) {
      std::array<int64_t, 3> larger = tried;
      larger[static_cast<unsigned>(dim)] *= 2;
      std::optional<ItemCost> cost = tryFactors(kernel, larger, target);
      if (!cost || !isBetter(*cost, choice.after, target))
        continue;
      choice.threads = larger;
      choice.after = *cost;
      hasGrown = true;
    }
  }
  if (!choice.isWorthwhile())
    choice.reason = "several items for a thread are not quicker by the model";
  return choice;
}
