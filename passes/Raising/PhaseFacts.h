//===- PhaseFacts.h - what splitting asks of operations ---------*- C++ -*-===//

#ifndef PASSES_RAISING_PHASEFACTS_H
#define PASSES_RAISING_PHASEFACTS_H

#include "passes/Analysis/Uniformity.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/SetVector.h"

namespace gpuopt {

/// Whether `op` or an operation in it may do more than read memory.
bool mayAct(mlir::Operation *op);

/// The first operation in `op` that has to do with workgroup memory; null where
/// there is none.
mlir::Operation *findWorkgroupMemory(mlir::Operation *op);

/// Whether the host can run `op`, given its operands: arithmetic that folds.
bool isHostArithmetic(mlir::Operation *op);

/// The values from outside of `op` that it and what is in it use.
llvm::SetVector<mlir::Value> valuesUsedBy(mlir::Operation *op);

/// Whether running `op` once more, in a later launch of the kernel that
/// `uniformity` is about, gives the same result.
bool canComputeAgain(mlir::Operation *op, const UniformityAnalysis &uniformity);

} // namespace gpuopt

#endif // PASSES_RAISING_PHASEFACTS_H
