//===- LibraryFunctions.h - functions without a body ------------*- C++ -*-===//

#ifndef CONVERSION_IMPORTSOURCE_LIBRARYFUNCTIONS_H
#define CONVERSION_IMPORTSOURCE_LIBRARYFUNCTIONS_H

#include "llvm/ADT/StringRef.h"

namespace gpuopt {

/// True for a symbol that a device library or gpuopt itself defines later: the
/// functions of DeviceFunctions.def and C's and CUDA's mathematical functions.
bool isLibraryFunction(llvm::StringRef symbol);

} // namespace gpuopt

#endif // CONVERSION_IMPORTSOURCE_LIBRARYFUNCTIONS_H
