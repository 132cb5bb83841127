//===- Variables.h - variables of the module as arrays ----------*- C++ -*-===//
//
// A `__constant__` or `__device__` variable is an `llvm.mlir.global`; a kernel
// has it as an array by `gpuopt.get_variable`.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_ANALYSIS_VARIABLES_H
#define PASSES_ANALYSIS_VARIABLES_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace gpuopt {

/// The variable that `root` is the memory of; null for other memory.
mlir::LLVM::GlobalOp getVariable(mlir::Value root);

/// Whether nothing writes the memory of `root` while a kernel runs: a variable
/// in constant memory, or one that the source calls constant.
bool isConstantVariable(mlir::Value root);

/// Whether two roots are different variables, which never overlap.
bool areDistinctVariables(mlir::Value left, mlir::Value right);

} // namespace gpuopt

#endif // PASSES_ANALYSIS_VARIABLES_H
