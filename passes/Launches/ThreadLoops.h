//===- ThreadLoops.h - loops that a block shares out ------------*- C++ -*-===//
//
// Threads of a block take turns with the elements of a tile: each begins with
// its own id and goes on by their number. With the block's size known the number
// of its iterations is, too. Of 64 threads all run the same number,
//
//   for (i = tx; i < 256; i += 64)
//   for (k = 0; k < 4; ++k)            i = tx + 64 * k
//
// or some of them run one:
//
//   for (i = tx; i < 40; i += 64)
//   if (tx < 40)                       i = tx
//
// Loops that are not affine, or run once more for some of the threads
// (i < 100), stay as they are.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_LAUNCHES_THREADLOOPS_H
#define PASSES_LAUNCHES_THREADLOOPS_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace gpuopt {

/// Counts such loops of `kernel`, which is for blocks of its
/// `known_block_size`. Returns how many it has changed.
unsigned countThreadLoops(mlir::gpu::GPUFuncOp kernel);

} // namespace gpuopt

#endif // PASSES_LAUNCHES_THREADLOOPS_H
