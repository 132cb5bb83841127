//===- ReplicaJam.h - unroll and jam over blocks or positions ---*- C++ -*-===//
//
// A thread that does the work of several threads of the old kernel runs their
// code, the *replicas*, interleaved operation by operation, each in its own
// order. What the replicas have different values for is made once for each,
// everything else once: loops whose bounds agree are jammed, barriers and
// collective loops stay single (Yang et al. 2012, section 3.5.2).
//
//   old                       interleaved                contiguous
//   position b * 16 + t       b * 32 + t (+ 16)          (b * 16 + t) * 2 (+ 1)
//   tile[t], 16 elements      tile[t], tile[t + 16]      tile[t * 2 (+ 1)]
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_TRANSFORMS_POSITIONS_REPLICAJAM_H
#define PASSES_TRANSFORMS_POSITIONS_REPLICAJAM_H

#include "passes/Transforms/Merge/MergeLegality.h"
#include "passes/Transforms/Positions/PositionForm.h"

#include "llvm/ADT/SetVector.h"

namespace gpuopt {

/// Rebuilds the body of `kernel` with `request.factor` replicas in it. The
/// arrays of `form` grow, each replica gets its own copy of
/// `replicatedArrays`. `position` is what `gatherPositions` returned where
/// positions are to be contiguous, else null.
void jamReplicas(mlir::gpu::GPUFuncOp kernel,
                 const UniformityAnalysis &uniformity,
                 const llvm::SetVector<mlir::Value> &replicatedArrays,
                 const PositionForm &form, mlir::Value position,
                 const MergeRequest &request);

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_POSITIONS_REPLICAJAM_H
