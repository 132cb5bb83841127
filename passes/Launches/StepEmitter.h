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

/// What a thread knows of its class of elements, those equal to t modulo P:
/// values by array and number of the element (t + number * P). Only those that
/// memory does not hold yet are `stored`.
struct ClassValues {
  llvm::MapVector<std::pair<unsigned, unsigned>, mlir::Value> values;
  llvm::SetVector<std::pair<unsigned, unsigned>> stored;
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

/// Emits the `levels` steps P * 2^(levels-1), …, P of the class of `t`, one
/// work item after the other, with all elements in registers.
ClassValues emitClass(mlir::OpBuilder &builder, const StepContext &context,
                      unsigned levels, mlir::Value t, mlir::Value stride);

/// Number of leading elements of an array that are wanted behind the last step;
/// nothing for all. Larger numbers than `kMostOutputs` count as all.
std::optional<int64_t> wantedElements(const StepLoop &steps, unsigned array);
inline constexpr int64_t kMostOutputs = 16;

} // namespace gpuopt

#endif // PASSES_LAUNCHES_STEPEMITTER_H
