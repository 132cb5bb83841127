//===- LegalNames.h - names that source may have ----------------*- C++ -*-===//
//
// MLIR allows any text as the name of a function or a value, and two values of
// one name. What is printed has identifiers: distinct ones, that are no word of
// the language and hide nothing that a kernel or its host function uses.
//
//   wish      name
//   x y       x_y
//   2nd       v2nd
//   float     float_2
//   a, a      a, a2
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_EMITSOURCE_LEGALNAMES_H
#define CONVERSION_EMITSOURCE_LEGALNAMES_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace gpuopt::source {

/// The first identifier after `wish` for a variable: no word of any language,
/// nothing that headers define, and not taken.
std::string legalName(llvm::StringRef wish,
                      llvm::function_ref<bool(llvm::StringRef)> isTaken);

/// The same for a kernel. What its source calls it it keeps, so that those who
/// launch it find it: only words of the language that is printed are none.
std::string legalKernelName(llvm::StringRef wish, bool isOpenCL,
                            llvm::function_ref<bool(llvm::StringRef)> isTaken);

/// The parameters of `function`, the same in the kernel and where it is
/// launched.
llvm::SmallVector<std::string> parameterNames(mlir::gpu::GPUFuncOp function);

} // namespace gpuopt::source

#endif // CONVERSION_EMITSOURCE_LEGALNAMES_H
