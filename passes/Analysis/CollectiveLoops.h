//===- CollectiveLoops.h - loops that a block shares out --------*- C++ -*-===//
//
// A *collective loop* says what a block does together, before it is decided
// which thread does what of it: an `affine.parallel` marked
// `gpuopt.collective`.
//
//   affine.parallel (%r, %j) = (0, 0) to (16, 16) {
//     %v = affine.load %a[%by * 16 + %r, %i + %j]
//     affine.store %v, %tile[%r, %j]
//   } {gpuopt.collective}
//
// All threads of the block get to it, no thread id occurs in its body, and each
// iteration writes its own elements. Iterations are independent of each other:
// they run between the same two barriers. Run as a whole by every thread, the
// loop has the same effect. `gpuopt-distribute-tiles` turns it into per-thread
// code.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_ANALYSIS_COLLECTIVELOOPS_H
#define PASSES_ANALYSIS_COLLECTIVELOOPS_H

#include "dialects/GPUOpt/GPUOptAttrs.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"

namespace gpuopt {

/// Whether `op` is a collective loop.
inline bool isCollective(mlir::Operation *op) {
  return mlir::isa<mlir::affine::AffineParallelOp>(op) &&
         op->hasAttr(kCollectiveAttrName);
}

/// The collective loop that `op` stands in, or null.
inline mlir::affine::AffineParallelOp collectiveAround(mlir::Operation *op) {
  auto loop = op->getParentOfType<mlir::affine::AffineParallelOp>();
  while (loop && !isCollective(loop))
    loop = loop->getParentOfType<mlir::affine::AffineParallelOp>();
  return loop;
}

/// How many values each variable of `loop` takes, where all count from 0 by 1
/// to a constant; nothing otherwise.
inline std::optional<llvm::SmallVector<int64_t>>
collectiveExtents(mlir::affine::AffineParallelOp loop) {
  llvm::SmallVector<int64_t> extents;
  for (unsigned dim = 0; dim < loop.getNumDims(); ++dim) {
    mlir::AffineMap lower = loop.getLowerBoundMap(dim);
    mlir::AffineMap upper = loop.getUpperBoundMap(dim);
    if (!lower.isSingleConstant() || lower.getSingleConstantResult() != 0 ||
        !upper.isSingleConstant() || loop.getSteps()[dim] != 1)
      return std::nullopt;
    extents.push_back(upper.getSingleConstantResult());
  }
  return extents;
}

} // namespace gpuopt

#endif // PASSES_ANALYSIS_COLLECTIVELOOPS_H
