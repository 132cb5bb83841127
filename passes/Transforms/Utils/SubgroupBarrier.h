//===- SubgroupBarrier.h - barriers among the lanes -------------*- C++ -*-===//
//
// The lanes of a subgroup wait for each other, and see what the others have
// written: CUDA's `__syncwarp`. As a call of the device library
// (conversion/ImportSource/DeviceFunctions.def); MLIR has no operation for it.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_TRANSFORMS_UTILS_SUBGROUPBARRIER_H
#define PASSES_TRANSFORMS_UTILS_SUBGROUPBARRIER_H

#include "mlir/IR/Builders.h"

namespace gpuopt {

/// A barrier of all lanes where `builder` stands, in a kernel.
mlir::Operation *createSubgroupBarrier(mlir::OpBuilder &builder,
                                       mlir::Location loc);

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_UTILS_SUBGROUPBARRIER_H
