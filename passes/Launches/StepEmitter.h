//===- StepEmitter.h - work items of steps in other places ------*- C++ -*-===//
//
// Writes what work items of a step (see StepLoop.h) do into another kernel,
// with their elements in registers, in workgroup memory, or where they were.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_LAUNCHES_STEPEMITTER_H
#define PASSES_LAUNCHES_STEPEMITTER_H

#include "passes/Launches/StepLoop.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/MapVector.h"

namespace gpuopt {

/// An element that a work item knows: number of the array's argument, and 0 for
/// the item's own or 1 for the one a step further.
using ItemElement = std::pair<unsigned, unsigned>;

/// Elements with their values.
using ItemValues = llvm::MapVector<ItemElement, mlir::Value>;

/// Emits at `builder` what work item `id` of `kernel` does, whose arguments are
/// `arguments` but for the extent, which is `extent` (both ids and extents are
/// indices). The guard is taken to hold. `load` is asked for each element's
/// value once, before it is used; returned is what the item stores. Values of
/// the kernel that are `given` are not computed.
ItemValues
emitItem(mlir::OpBuilder &builder, const GuardedKernel &kernel,
         mlir::ValueRange arguments, mlir::Value id, mlir::Value extent,
         llvm::function_ref<mlir::Value(ItemElement)> load,
         llvm::ArrayRef<std::pair<mlir::Value, mlir::Value>> given = {});

/// What a thread knows of the elements of a tree: values by array and number of
/// the element. Bit b of the number stands for a distance of `lengths[b]` from
/// the tree's root (see StepLoop.h). Only those that memory does not hold yet
/// are `stored`.
struct TreeValues {
  llvm::MapVector<std::pair<unsigned, unsigned>, mlir::Value> values;
  llvm::SetVector<std::pair<unsigned, unsigned>> stored;
  /// Where the elements are, by number; null where nobody asked.
  llvm::SmallVector<mlir::Value> positions;
};

/// Creates an empty kernel beside the one that the loop launches, with its
/// parameters and facts. Its name is that of the source's kernel and `suffix`.
mlir::gpu::GPUFuncOp createKernelBeside(mlir::OpBuilder &builder,
                                        const StepLoop &steps,
                                        llvm::StringRef suffix);

/// The constants of the IR around an emission.
struct StepContext {
  const StepLoop &steps;
  /// Arguments of the kernel that is being made.
  mlir::ValueRange arguments;
  /// Whether elements come from the launch before the loop, which has not been
  /// done.
  bool withFirst = false;
};

/// `index + number * stride`.
mlir::Value elementAt(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Value index, unsigned number, mlir::Value stride);

/// The element `at` of an array before the first step that is done here.
mlir::Value emitInitial(mlir::OpBuilder &builder, const StepContext &context,
                        unsigned array, mlir::Value at);

/// Emits the steps `lengths`, the last one first, for the elements that lead to
/// work item `root` of the last one: one work item after the other, each behind
/// those whose results it reads, with all elements in registers.
TreeValues emitTree(mlir::OpBuilder &builder, const StepContext &context,
                    llvm::ArrayRef<mlir::Value> lengths, mlir::Value root);

/// Whether elements count that no later step reads: then several steps can only
/// be done at once where all of a step's work items lead to the last one's, for
/// multiples of a power of two.
bool needsWholeSteps(const StepLoop &steps);

/// Number of leading elements of an array that are wanted behind the last step;
/// nothing for all. Larger numbers than `kMostOutputs` count as all.
std::optional<int64_t> wantedElements(const StepLoop &steps, unsigned array);
inline constexpr int64_t kMostOutputs = 16;

} // namespace gpuopt

#endif // PASSES_LAUNCHES_STEPEMITTER_H
