//===- KernelFacts.h - KernelInfo from Clang's AST --------------*- C++ -*-===//

#ifndef CONVERSION_IMPORTSOURCE_KERNELFACTS_H
#define CONVERSION_IMPORTSOURCE_KERNELFACTS_H

#include "conversion/ImportSource/KernelInfo.h"

#include "clang/AST/Decl.h"

namespace gpuopt {

/// True for the definition of a kernel that code can be generated for.
bool isKernelDefinition(const clang::FunctionDecl &function);

/// Everything about `kernel` but its symbol and its pragma.
KernelInfo describeKernel(const clang::FunctionDecl &kernel);

} // namespace gpuopt

#endif // CONVERSION_IMPORTSOURCE_KERNELFACTS_H
