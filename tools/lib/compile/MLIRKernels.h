//===- MLIRKernels.h - kernels in MLIR modules ------------------*- C++ -*-===//

#ifndef TOOLS_LIB_COMPILE_MLIRKERNELS_H
#define TOOLS_LIB_COMPILE_MLIRKERNELS_H

#include "conversion/ImportSource/KernelInfo.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include <vector>

namespace gpuopt {

/// True for a `gpu.func` or `llvm.func` that can be launched.
bool isKernel(mlir::FunctionOpInterface function);

/// What a module itself says about its kernels: symbols, the types of the
/// arguments, and names from `gpuopt.*` attributes where there are any.
std::vector<KernelInfo> collectKernels(mlir::ModuleOp module);

/// Parses a file of MLIR text or bytecode, or `text` in its place, and keeps
/// the names of arguments, which the parser drops, in `gpuopt.name`. Null after
/// a diagnostic.
mlir::OwningOpRef<mlir::ModuleOp>
parseMLIRInput(llvm::StringRef path, const std::optional<std::string> &text,
               mlir::MLIRContext *context);

/// Brings MLIR input to `gpu.module`s with kernels: `linalg` on memrefs goes
/// through upstream's lowering, `gpu.launch` is outlined.
mlir::LogicalResult prepareMLIRInput(mlir::ModuleOp module);

} // namespace gpuopt

#endif // TOOLS_LIB_COMPILE_MLIRKERNELS_H
