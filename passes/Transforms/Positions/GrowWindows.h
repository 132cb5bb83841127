//===- GrowWindows.h - windows of several blocks ----------------*- C++ -*-===//
//
// A position array has a window for the positions of one block, which a
// collective loop fills. Merged blocks have one window, as long as theirs
// together.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_TRANSFORMS_POSITIONS_GROWWINDOWS_H
#define PASSES_TRANSFORMS_POSITIONS_GROWWINDOWS_H

#include "passes/Transforms/Positions/PositionForm.h"

namespace gpuopt {

/// Bytes of workgroup memory once each window is `factor` times as long.
int64_t workgroupBytesGrown(mlir::gpu::GPUFuncOp kernel,
                            const PositionForm &form, int64_t factor);

/// Whether `op`, marked `gpuopt.in_block`, tells if the position `iterator` (or
/// one a constant before it) lies in the block of `stride` positions: before
/// its end, or not before its first.
bool isInBlockTest(mlir::Operation *op, mlir::Value iterator, int64_t stride);

/// Lets the position arrays hold the windows of `factor` blocks.
void growArrays(const PositionForm &form, int64_t factor);

/// Lets `loop`, a copy of the collective loop `old` or itself, fill the windows
/// of `factor` blocks.
void growLoop(mlir::Operation *loop, const PositionForm::Loop &old,
              int64_t factor);

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_POSITIONS_GROWWINDOWS_H
