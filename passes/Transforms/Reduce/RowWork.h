//===- RowWork.h - what several threads may share of a work item *- C++ -*-===//
//
// A work item that walks along rows does three kinds of things, of which
// several threads, its *lanes*, do each in another way:
//
//   if (r < n) {                                   all lanes
//     float m = a[r * w];                          all lanes
//     float s = out[r];                            the first lane, for all
//     for (i = 0; i < w; ++i)                      shared: each lane does some
//       m = max(m, a[r * w + i]);                  iterations
//     for (i = 0; i < w; ++i)                      shared
//       b[r * w + i] = a[r * w + i] - m;
//     out[r] = m;                                  the first lane
//   }
//
// What all lanes do they do with the same values, so that they agree on every
// condition and every loop around the rest. Where one lane accesses what
// another one has accessed before, and one of them writes, a barrier of the
// lanes stands between.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_TRANSFORMS_REDUCE_ROWWORK_H
#define PASSES_TRANSFORMS_REDUCE_ROWWORK_H

#include "dialects/GPUOpt/GPUOptAttrs.h"
#include "passes/Transforms/Reduce/CarriedValues.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/ADT/SetVector.h"

#include <array>

namespace gpuopt {

/// A loop whose iterations lanes share out.
struct SharedLoop {
  mlir::LoopLikeOpInterface loop;
  CarriedValues carried;
  /// It is along a row, and not only shared since it could be long.
  bool isRow = true;
};

/// What lanes do of a work item.
struct RowWork {
  std::vector<SharedLoop> loops;
  /// What only the first lane does: what writes memory, and reads what the
  /// kernel writes somewhere. All lanes get what it has read, the same.
  llvm::SmallVector<mlir::Operation *> single;
  /// The operations before which lanes wait for each other.
  llvm::SetVector<mlir::Operation *> waits;
};

/// Whether a kernel has loops along rows of its work items, and what lanes do
/// of it, or why they cannot; `blockItems` are the dimensions along which a
/// block is a work item. Loops along rows are those in which neighbouring lanes
/// would access neighbouring elements, and neighbouring work items do not.
struct RowAnalysis {
  /// Whether there is a loop along a row.
  bool hasRows = false;
  std::variant<RowWork, Refusal> work;
};
RowAnalysis analyzeRows(mlir::gpu::GPUFuncOp kernel,
                        const std::array<bool, 3> &blockItems,
                        TargetAttr target);

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_REDUCE_ROWWORK_H
