//===- MLIRLimits.h - what MLIR input cannot hold ---------------*- C++ -*-===//
//
// Upstream's passes would say it in words of their own, far from the cause, or
// make code that no host can run. Each check emits one error at most.
//
//===----------------------------------------------------------------------===//

#ifndef TOOLS_LIB_COMPILE_MLIRLIMITS_H
#define TOOLS_LIB_COMPILE_MLIRLIMITS_H

#include "mlir/IR/BuiltinOps.h"

namespace gpuopt {

/// Of the host's functions: parallel loops that would become kernels.
mlir::LogicalResult checkParallelLoops(mlir::ModuleOp module);

/// Of the modules of kernels: their names and what they call.
mlir::LogicalResult checkKernelModules(mlir::ModuleOp module);

} // namespace gpuopt

#endif // TOOLS_LIB_COMPILE_MLIRLIMITS_H
