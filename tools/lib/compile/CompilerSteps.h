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
