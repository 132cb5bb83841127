//===- OriginalKernels.h - fallbacks as the source has them -----*- C++ -*-===//
//
// A launch that the tuned kernel cannot cover takes the original one. Its
// raised form computes the same, but is no match for what Clang made of the
// source: accesses that a programmer has written as vectors are elements there,
// and arithmetic that may wrap stands in two versions. What is compiled is
// therefore Clang's.
//
//===----------------------------------------------------------------------===//

#ifndef TOOLS_LIB_COMPILE_ORIGINALKERNELS_H
#define TOOLS_LIB_COMPILE_ORIGINALKERNELS_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"

#include <string>

namespace gpuopt {

/// Replaces kernels of `module` by those of `imported`, the same file before it
/// was raised, with all that these refer to. `symbols`: the imported kernel for
/// each symbol in `module`. One whose counterpart is missing or refers to a
/// symbol that is something else in `module` stays as it is.
void restoreImportedKernels(mlir::ModuleOp module, mlir::ModuleOp imported,
                            const llvm::StringMap<std::string> &symbols);

} // namespace gpuopt

#endif // TOOLS_LIB_COMPILE_ORIGINALKERNELS_H
