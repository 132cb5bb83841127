//===- ModuleVariables.h - __constant__ and __device__ variables -*- C++
//-*-===//
//
// Reads `llvm.mlir.global`: what is declared of a variable in front of the
// kernels that use it.
//
//   @w : array<5 x f32>, address space 4       __constant__ float w[5];
//   @_ZL2at : array<2 x array<3 x i32>>        static __device__ int at[2][3];
//   @p : struct<(f32, i32, f32)>               __device__ float p[3];
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_EMITSOURCE_MODULEVARIABLES_H
#define CONVERSION_EMITSOURCE_MODULEVARIABLES_H

#include "conversion/EmitSource/Spelling.h"
#include "conversion/EmitSource/Tree.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace gpuopt::source {

/// What a variable is declared as.
struct DeclaredVariable {
  CType element;
  /// Empty for a number.
  llvm::SmallVector<int64_t> shape;
  bool isInConstantMemory = false;
};

/// The declaration of `variable`; nothing where its type has no source form. A
/// structure is an array of its smallest member's type.
std::optional<DeclaredVariable> describeVariable(mlir::LLVM::GlobalOp variable);

/// What each variable of the module around `function` is called, by symbol.
llvm::StringMap<std::string> variableNames(mlir::gpu::GPUFuncOp function,
                                           bool isOpenCL);

/// Declares the variables that `functions` use.
mlir::FailureOr<std::string>
declareVariables(llvm::ArrayRef<mlir::gpu::GPUFuncOp> functions,
                 const Spelling &spelling);

} // namespace gpuopt::source

#endif // CONVERSION_EMITSOURCE_MODULEVARIABLES_H
