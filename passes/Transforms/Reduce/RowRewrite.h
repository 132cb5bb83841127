//===- RowRewrite.h - lanes that share a work item --------------*- C++ -*-===//

#ifndef PASSES_TRANSFORMS_REDUCE_ROWREWRITE_H
#define PASSES_TRANSFORMS_REDUCE_ROWREWRITE_H

#include "passes/Transforms/Reduce/RowWork.h"

namespace gpuopt {

/// Has `lanes` threads, a subgroup whose number `lane` tells them apart, share
/// `work` as RowWork.h says. `lane` is an affine symbol.
void shareRows(mlir::gpu::GPUFuncOp kernel, RowWork &work, mlir::Value lane,
               int64_t lanes);

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_REDUCE_ROWREWRITE_H
