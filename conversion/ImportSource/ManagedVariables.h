//===- ManagedVariables.h - __managed__ on the host's side ------*- C++ -*-===//
//
// The host reaches such a variable by a pointer, which the runtime sets. Clang
// has that for HIP: its attribute makes host code load the pointer and
// registers it with the variable's first value.
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_IMPORTSOURCE_MANAGEDVARIABLES_H
#define CONVERSION_IMPORTSOURCE_MANAGEDVARIABLES_H

#include "clang/AST/ASTConsumer.h"

#include <memory>

namespace gpuopt {

/// Gives variables that are managed (dialects/GPUOpt/ManagedVariables.h) that
/// attribute, before consumers behind it see them.
std::unique_ptr<clang::ASTConsumer> createManagedVariableMarker();

} // namespace gpuopt

#endif // CONVERSION_IMPORTSOURCE_MANAGEDVARIABLES_H
