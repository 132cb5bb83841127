//===- ManagedVariables.h - __managed__ variables ---------------*- C++ -*-===//
//
// Variables that the host may touch, too, go through LLVM IR and MLIR as
// variables of this section, which Clang, importers and exporters pass on.
//
//===----------------------------------------------------------------------===//

#ifndef DIALECTS_GPUOPT_MANAGEDVARIABLES_H
#define DIALECTS_GPUOPT_MANAGEDVARIABLES_H

#include "llvm/ADT/StringRef.h"

namespace gpuopt {

/// As the prelude's attributes.h has it.
inline constexpr llvm::StringLiteral kManagedSection = "gpuopt-managed";

} // namespace gpuopt

#endif // DIALECTS_GPUOPT_MANAGEDVARIABLES_H
