//===- MatrixRewrite.h - loops of matrix instructions -----------*- C++ -*-===//

#ifndef PASSES_TRANSFORMS_TENSOR_MATRIXREWRITE_H
#define PASSES_TRANSFORMS_TENSOR_MATRIXREWRITE_H

#include "passes/Transforms/Tensor/FragmentLoads.h"

namespace gpuopt {

/// Puts the loop of `plan` into the form of matrix instructions. Returns how
/// many of these read matrices.
int64_t multiplyByUnits(const MatrixPlan &plan, const SubgroupIds &ids);

/// Gives threads their positions by `ids`, but for what `multiplyByUnits` made.
void placeThreads(mlir::gpu::GPUFuncOp kernel, const SubgroupIds &ids);

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_TENSOR_MATRIXREWRITE_H
