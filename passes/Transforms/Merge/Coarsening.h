//===- Coarsening.h - several work items for a thread -----------*- C++ -*-===//
//
// Which threads of a kernel are worth merging although neighbouring blocks
// share no loads of a loop (MergePlan.h): where what all items of a thread need
// once, such as addresses, loads of the same datum, loops and barriers, is a
// large part of what it issues, or where threads wait for memory that items of
// one thread wait for together. It is decided by trying: a copy of the kernel
// is merged and compared with the kernel by the model of a launch
// (PerformanceModel.h).
//
// A kernel is coarsened by a factor of 2 along a dimension, then by another
// one, as long as
//
//   * the original's blocks along it are guarded: the geometry has an extent;
//     merged blocks then take launches of every size that single ones took;
//   * a work item takes at least a tenth less time on a machine that has more
//     blocks than it can hold, counted with all instructions, and with loops
//     that the back end unrolls, so that a few loads are in flight anyway;
//   * and no more in the launch that reports assume (ItemModel.h): where blocks
//     do not fill the machine, items of a thread run in each other's shadow;
//   * no more sectors and wavefronts move for an item, and as many stores are
//     made: else the block that is looked at does not stand for all, as in a
//     triangle;
//   * no item needs tiles of its own, or a part of larger ones: these were
//     staged for what threads share, which items of a thread should share, too,
//     and how larger ones lie in the banks is decided later;
//   * registers keep within a half of what a thread may have: the estimate may
//     be wrong by that without spilling.
//
// A sum over all particles for each of them, in tiles, on sm_90:
//
//   items of a thread      1         2         4
//   instructions     58152     49559     45263     of an item
//   registers           32        40        60
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_TRANSFORMS_MERGE_COARSENING_H
#define PASSES_TRANSFORMS_MERGE_COARSENING_H

#include "dialects/GPUOpt/GPUOptAttrs.h"
#include "passes/Transforms/Merge/MergePlan.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

#include <array>
#include <string>

namespace gpuopt {

/// What a work item of a kernel takes.
struct ItemCost {
  /// Its share of a launch that fills the machine, with all instructions, and
  /// of the one that reports assume.
  double nanoseconds = 0, reportedNanoseconds = 0;
  /// Of the former, what DRAM takes, whatever threads do.
  double memoryNanoseconds = 0;
  /// Instructions of a thread, sectors of global memory and wavefronts of
  /// workgroup memory.
  double instructions = 0, sectors = 0, wavefronts = 0;
  /// Stores of a thread to global memory.
  double stores = 0;
  /// Of a thread, estimated.
  int64_t registers = 0;
  /// Of a block.
  int64_t workgroupBytes = 0;
  /// See Executions.
  bool standsForAll = true;
};

struct Coarsening {
  /// How many threads become one along x, y, z.
  std::array<int64_t, 3> threads = {1, 1, 1};
  ItemCost before, after;
  /// Why they stay apart; empty where nothing was asked.
  std::string reason;

  bool isWorthwhile() const {
    return threads != std::array<int64_t, 3>{1, 1, 1};
  }
  /// Of an item's time on a full machine.
  int gainPercent() const;
};

/// The most registers of a thread with several items, by the estimate.
int64_t mostCoarsenedRegisters(TargetAttr target);

/// What a work item takes of a copy of `kernel` that `change` has changed;
/// nothing where it returns false.
std::optional<ItemCost>
costOfCopy(mlir::gpu::GPUFuncOp kernel,
           llvm::function_ref<bool(mlir::gpu::GPUFuncOp)> change,
           TargetAttr target);

/// What a work item of `kernel` takes with `plan`, of which neither items nor
/// blocks are neighbours; nothing where not all of it is possible. Changes
/// nothing in the end.
std::optional<ItemCost> tryPlan(mlir::gpu::GPUFuncOp kernel,
                                const MergePlan &plan, TargetAttr target);

/// Whether a work item moves more sectors or takes more wavefronts than
/// `before`, and more time by the model: on a full machine, and in the launch
/// that reports assume. False where the two cannot be compared.
bool isSlower(const ItemCost &after, const ItemCost &before);

/// Whether a work item takes at least a tenth less time than `before` on a full
/// machine, no more in the launch that reports assume, and moves no more
/// sectors: what it takes to change a kernel by an estimate.
bool isWorthwhile(const ItemCost &after, const ItemCost &before);

/// Chooses for `kernel`, which has a geometry. Changes nothing in the end.
Coarsening chooseCoarsening(mlir::gpu::GPUFuncOp kernel, TargetAttr target);

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_MERGE_COARSENING_H
