//===- GatherPositions.h - one value for a position -------------*- C++ -*-===//

#ifndef PASSES_TRANSFORMS_POSITIONS_GATHERPOSITIONS_H
#define PASSES_TRANSFORMS_POSITIONS_GATHERPOSITIONS_H

#include "passes/Transforms/Positions/PositionForm.h"

namespace gpuopt {

/// Makes `block_id * T + thread_id` one value at the top of a kernel in
/// position form, and that the only use of both ids outside of collective loops
/// and subscripts of position arrays. Returns the value.
mlir::Value gatherPositions(mlir::gpu::GPUFuncOp kernel,
                            const PositionForm &form);

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_POSITIONS_GATHERPOSITIONS_H
