//===- CompilerSteps.h - what the parts of a compilation share --*- C++ -*-===//

#ifndef TOOLS_LIB_COMPILE_COMPILERSTEPS_H
#define TOOLS_LIB_COMPILE_COMPILERSTEPS_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/PassManager.h"

#include <memory>
#include <string>

namespace gpuopt {

/// Creates a context with all dialects of the compiler.
std::unique_ptr<mlir::MLIRContext> createCompilerContext();

/// `module` as MLIR bytecode, with positions; empty where it cannot hold it.
std::string bytecodeOf(mlir::ModuleOp module);

/// The kernel of `module` with this symbol; null where it has none.
mlir::gpu::GPUFuncOp findKernel(mlir::ModuleOp module, llvm::StringRef symbol);

/// The symbol by which `function` is chosen: its own, or that of the kernel
/// that grid-wide synchronisation has made it of; empty where all kernels may
/// need it.
llvm::StringRef kernelOf(mlir::Operation *op);

/// A copy of `module` with the kernel `kept` alone, or its parts, and all that
/// is no kernel.
mlir::OwningOpRef<mlir::ModuleOp> cloneKernel(mlir::ModuleOp module,
                                              llvm::StringRef kept);

/// A pass that failed, or left what is no valid IR.
struct PassFailure {
  /// As it is called in remarks; empty where only the whole pipeline fails.
  std::string pass;
  std::string reason;
};

/// Runs `build`'s passes on a clone of `module`, for up to `seconds` (0 for no
/// limit). Returns the clone, or null and in `failure` the first thing that
/// went wrong.
mlir::OwningOpRef<mlir::ModuleOp>
runOnClone(mlir::ModuleOp module,
           llvm::function_ref<void(mlir::PassManager &)> build, double seconds,
           PassFailure &failure);

} // namespace gpuopt

#endif // TOOLS_LIB_COMPILE_COMPILERSTEPS_H
