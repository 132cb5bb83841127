//===- BarrierIntervals.h - what runs between barriers ----------*- C++ -*-===//
//
// A barrier divides what the threads of a block do into what runs before it, up
// to the barrier before, and what runs behind it, up to the next one. Both go
// around the loops that the barrier stands in:
//
//   for i {
//     load s[t + 1]      before, and behind in the next iteration
//     barrier
//     store s[t]         behind, and before in the next iteration
//     other barrier
//   }
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_TRANSFORMS_BARRIERS_BARRIERINTERVALS_H
#define PASSES_TRANSFORMS_BARRIERS_BARRIERINTERVALS_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"

#include <optional>

namespace gpuopt {

/// An operation that runs before or behind a barrier, and is not only control
/// flow around others.
struct Neighbour {
  mlir::Operation *op;
  /// The outermost loop around both that is in another iteration when `op`
  /// runs; null where none is.
  mlir::Operation *otherIteration;

  bool operator==(const Neighbour &other) const = default;
};

enum class Side { Before, Behind };

using Barriers = llvm::SmallPtrSet<mlir::Operation *, 8>;

/// What may have an effect on one side of `barrier` while no barrier but those
/// of `open` is in between; nothing where the control flow is not followed, or
/// that is too much to be compared. An operation
/// that runs in the same iteration and in another one is there twice.
std::optional<llvm::SmallVector<Neighbour>>
collectInterval(mlir::gpu::BarrierOp barrier, Side side, const Barriers &open);

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_BARRIERS_BARRIERINTERVALS_H
