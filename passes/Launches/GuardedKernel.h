//===- GuardedKernel.h - work items and the elements they own ---*- C++ -*-===//
//
// Two kinds of kernels that a loop launches for steps s, of which several can
// be done at once, as no work item touches another's elements in a step:
//
//   tree         if (id < s) a[id] = f(a[id], a[id + s])
//   butterflies  i = id / s * (2 * s) + id % s
//                if (i + s < n) a[i], a[i + s] = f(a[i], a[i + s])
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_LAUNCHES_GUARDEDKERNEL_H
#define PASSES_LAUNCHES_GUARDEDKERNEL_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

#include <string>

namespace gpuopt {

/// Which work items of a kernel of butterflies act.
struct ButterflyGuard {
  /// Computed from arguments other than the step.
  mlir::Value bound;
  /// The items act whose second element is below `bound`; else those whose id
  /// is.
  bool boundsElements = false;
  /// `bound` is compared as an unsigned number.
  bool isUnsigned = false;
  /// The position in a group is `id & (s - 1)`: that is `id % s` for powers of
  /// two only.
  bool needsPowerOfTwo = false;
};

/// A kernel whose work items below an extent do something, and nothing else.
struct GuardedKernel {
  mlir::gpu::GPUFuncOp kernel;
  /// The argument that work item ids are compared with; of butterflies the
  /// step.
  unsigned extent = 0;
  /// The conditional that holds all that the kernel does.
  mlir::scf::IfOp guard;
  /// The arrays that it writes, kernel arguments.
  llvm::SetVector<mlir::Value> written;
  /// For each access of those: 0 for the work item's own element, 1 for the one
  /// that is the extent further.
  llvm::DenseMap<mlir::Operation *, unsigned> offsets;
  /// Whether an access with offset 1 writes.
  bool writesPartner = false;
  /// Of kernels of butterflies only.
  std::optional<ButterflyGuard> butterflies;
};

/// Reads `kernel`, or says in `reason` why it is no tree's. `extent` is the
/// number of the argument that the guard has to compare with; nothing for any.
std::optional<GuardedKernel> readGuardedKernel(mlir::gpu::GPUFuncOp kernel,
                                               std::optional<unsigned> extent,
                                               std::string &reason);

/// Reads a kernel of butterflies whose step is the argument `step`. `reason` is
/// set where it has their elements but cannot be merged.
std::optional<GuardedKernel> readButterflies(mlir::gpu::GPUFuncOp kernel,
                                             unsigned step,
                                             std::string &reason);

/// `bound` of a guard where the kernel's arguments are `arguments`.
mlir::Value emitBound(mlir::OpBuilder &builder, const GuardedKernel &kernel,
                      mlir::ValueRange arguments);

/// The array of the element that a load or store accesses; null for other
/// operations.
mlir::Value arrayOfElement(mlir::Operation *op);

/// Whether `op` stores an element.
bool isElementStore(mlir::Operation *op);

} // namespace gpuopt

#endif // PASSES_LAUNCHES_GUARDEDKERNEL_H
