//===- Bystanders.h - what a host may do beside a device --------*- C++ -*-===//

#ifndef CONVERSION_OFFLOAD_BYSTANDERS_H
#define CONVERSION_OFFLOAD_BYSTANDERS_H

#include "clang/AST/Stmt.h"

namespace gpuopt::offload {

/// Whether `statement` of the function with that body reads and writes nothing
/// but numbers in its variables of which nobody has the address, and prints
/// them at most: nothing of it is on a device. Control goes through it to its
/// end.
bool isBystander(const clang::Stmt &statement, const clang::Stmt &function);

} // namespace gpuopt::offload

#endif // CONVERSION_OFFLOAD_BYSTANDERS_H
