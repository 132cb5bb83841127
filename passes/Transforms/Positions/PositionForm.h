//===- PositionForm.h - kernels as functions of positions -------*- C++ -*-===//
//
// Along a dimension in which a block of T threads covers B work items, what a
// kernel does mostly depends on the *position* of a work item alone,
//
//   position = block_id * B + v,    0 <= v < B
//
// however positions are shared out to blocks and threads. Then merging N blocks
// means B := N * B (section 3.5.1 of Yang et al. 2012), and merging threads
// that a thread takes N positions instead of one (section 3.5.2); either way
// arrays in workgroup memory stay single and grow. A kernel is in *position
// form* where
//
//   * a collective loop (kCollectiveAttrName) over v uses block_id only as
//     block_id * S + v and stores what it finds at subscript v of workgroup
//     arrays: element v of block b is element b * S + v of one long array, of
//     which each block has a window (a *position array* of *stride* S; the
//     windows of neighbours may overlap);
//   * other code uses block_id and thread_id only as
//     block_id * T + thread_id, but for subscripts of position arrays, which
//     are k * thread_id + … with k * T = S.
//
//   naive code, and after                      is in the form
//   %p = apply(%b * 16 + %t)                   yes
//   merging 4 threads, contiguous: %p * 4 + 3  yes, T = 16, B = 64
//   merging 2, interleaved: %b * 32 + %t + 16  no, but collective loops still
//   cmpi slt, %t, %n                           no: same for every block
//
// The first of the two items is enough to merge threads whose positions are
// interleaved (new block b is replicas b*N, b*N+1, … of the old code); blocks,
// and threads with contiguous positions, need both.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_TRANSFORMS_POSITIONS_POSITIONFORM_H
#define PASSES_TRANSFORMS_POSITIONS_POSITIONFORM_H

#include "passes/Analysis/Remarks.h"
#include "passes/Analysis/Uniformity.h"

#include "llvm/ADT/MapVector.h"

namespace gpuopt {

struct PositionForm {
  /// A workgroup array whose contents belong to positions.
  struct Array {
    /// The subscript that is the position in the block.
    unsigned subscript;
    /// Elements from one block's window to the next one's.
    int64_t stride;
  };
  /// A collective loop over positions.
  struct Loop {
    /// The iterator that is the position in the block.
    unsigned iterator;
    /// See `Array`.
    int64_t stride;
  };

  mlir::gpu::Dimension dimension;
  /// Threads of a block along the dimension.
  int64_t threads = 1;
  llvm::MapVector<mlir::Value, Array> arrays;
  llvm::MapVector<mlir::Operation *, Loop> loops;
  /// Collective loops that fill an array with the same for all blocks, and use
  /// the block's id only in guards `block_id * B < n`: whether the block has
  /// any work item. Of merged blocks the first tells.
  llvm::SmallPtrSet<mlir::Operation *, 4> commonLoops;
  /// Whether `op` is a collective loop that stays one when blocks are merged.
  bool isSingleLoop(mlir::Operation *op) const {
    return loops.contains(op) || commonLoops.contains(op);
  }

  /// Why collective loops are not in the form; `arrays` and the sets of loops
  /// are empty then.
  std::optional<Refusal> loopObstacle;
  /// Why other code is not. Set also where `loopObstacle` is.
  std::optional<Refusal> obstacle;
};

PositionForm computePositionForm(mlir::gpu::GPUFuncOp kernel,
                                 const UniformityAnalysis &uniformity,
                                 mlir::gpu::Dimension dimension);

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_POSITIONS_POSITIONFORM_H
