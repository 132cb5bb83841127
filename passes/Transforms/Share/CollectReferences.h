//===- CollectReferences.h - accesses for partitions ------------*- C++ -*-===//

#ifndef PASSES_TRANSFORMS_SHARE_COLLECTREFERENCES_H
#define PASSES_TRANSFORMS_SHARE_COLLECTREFERENCES_H

#include "passes/Analysis/AccessFunction.h"
#include "passes/Transforms/Share/PartitionProblem.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace gpuopt {

/// The accesses of global memory of a kernel whose block is open, with the
/// kernel's hints, or those that stand for none. Sizes that are not in `sizes`
/// are `kAssumedSize`, as are the lengths of loops that are no polynomials over
/// the parameters.
PartitionProblem collectReferences(mlir::gpu::GPUFuncOp kernel,
                                   const SizeMap &sizes);

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_SHARE_COLLECTREFERENCES_H
