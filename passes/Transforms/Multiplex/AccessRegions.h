//===- AccessRegions.h - where a kernel uses workgroup memory ---*- C++ -*-===//
//
// The parts of a kernel in which data lies in workgroup memory, from the first
// store to the last load of it (Yang 2012, section 5.3: *shared memory access
// regions*). Between two of them no thread needs what any array holds, so that
// another block might use the memory. A loop is a region as a whole, or each of
// its iterations has regions of its own.
//
//   c = load global              c = load global
//   store s                    ┐
//   barrier                    │ region
//   d = load s                 ┘
//   barrier
//   e = f(d)
//   store s                    ┐
//   barrier                    │ region
//   … = load s                 ┘
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_TRANSFORMS_MULTIPLEX_ACCESSREGIONS_H
#define PASSES_TRANSFORMS_MULTIPLEX_ACCESSREGIONS_H

#include "passes/Analysis/WorkgroupLiveness.h"

namespace gpuopt {

/// Operations of one block of operations, the first and the last of which
/// access workgroup memory.
struct AccessRegion {
  mlir::Operation *first = nullptr;
  mlir::Operation *last = nullptr;

  /// All of them, in order.
  llvm::SmallVector<mlir::Operation *> operations() const;
};

/// The regions of `kernel`, in the order of the program; together they have all
/// accesses of workgroup arrays. `isTogether` says whether all threads of a
/// block that is to be synchronised get to an operation equally often.
std::vector<AccessRegion>
findAccessRegions(mlir::gpu::GPUFuncOp kernel, WorkgroupLiveness &liveness,
                  llvm::function_ref<bool(mlir::Operation *)> isTogether);

/// Whether `op` is a barrier of the block, or has one inside.
bool synchronises(mlir::Operation *op);

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_MULTIPLEX_ACCESSREGIONS_H
