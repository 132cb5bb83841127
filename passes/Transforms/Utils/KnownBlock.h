//===- KnownBlock.h - the threads of a block, where known -------*- C++ -*-===//

#ifndef PASSES_TRANSFORMS_UTILS_KNOWNBLOCK_H
#define PASSES_TRANSFORMS_UTILS_KNOWNBLOCK_H

#include "passes/Analysis/AccessFunction.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

#include <optional>

namespace gpuopt {

/// The block's shape by the kernel's geometry, or that it is known to be
/// launched with.
std::optional<BlockShape> knownBlockOf(mlir::gpu::GPUFuncOp kernel);

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_UTILS_KNOWNBLOCK_H
