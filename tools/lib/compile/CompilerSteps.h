//===- CompilerSteps.h - what the parts of a compilation share --*- C++ -*-===//

#ifndef TOOLS_LIB_COMPILE_COMPILERSTEPS_H
#define TOOLS_LIB_COMPILE_COMPILERSTEPS_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/PassManager.h"

#include <memory>
#include <string>

namespace gpuopt {

/// Creates a context with all dialects of the compiler.
std::unique_ptr<mlir::MLIRContext> createCompilerContext();

/// Runs `build`'s passes on a clone of `module`. Returns the clone, or null and
/// in `error` the first thing that went wrong.
mlir::OwningOpRef<mlir::ModuleOp>
runOnClone(mlir::ModuleOp module,
           llvm::function_ref<void(mlir::PassManager &)> build,
           std::string &error);

} // namespace gpuopt

#endif // TOOLS_LIB_COMPILE_COMPILERSTEPS_H
