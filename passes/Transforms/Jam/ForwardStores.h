//===- ForwardStores.h - use what was stored, not load it again -*- C++ -*-===//

#ifndef PASSES_TRANSFORMS_JAM_FORWARDSTORES_H
#define PASSES_TRANSFORMS_JAM_FORWARDSTORES_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace gpuopt {

/// Replaces loads in `block` by the value that the same thread stored to the
/// element before, in `block` as well, where no operation in between can have
/// written the element. Returns the number of loads that are gone.
unsigned forwardStores(mlir::gpu::GPUFuncOp kernel, mlir::Block &block);

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_JAM_FORWARDSTORES_H
