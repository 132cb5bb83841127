//===- KeptText.h - how arrays stay on a device, in C -----------*- C++ -*-===//

#ifndef CONVERSION_OFFLOAD_KEPTTEXT_H
#define CONVERSION_OFFLOAD_KEPTTEXT_H

#include "conversion/Offload/KeptArrays.h"
#include "conversion/Offload/Spelling.h"

namespace gpuopt::offload {

/// Lines that move `arrays` to the device, unless they are there; or back,
/// those that regions change.
std::string moveLines(const Variables &arrays, llvm::StringRef indent);
std::string backLines(const Variables &arrays, const KeptArrays &kept,
                      llvm::StringRef indent);
/// What stands in front of a loop that keeps `arrays`, and behind it.
std::string keepingBegin(const Variables &arrays, llvm::StringRef indent);
std::string keepingEnd(const Variables &arrays, llvm::StringRef indent);
/// Declarations in front of the program, and behind it the functions that have
/// the directives; both empty where nothing is kept.
std::string keptDeclarations(const KeptArrays &kept);
std::string keptFunctions(const KeptArrays &kept, Dialect dialect);

} // namespace gpuopt::offload

#endif // CONVERSION_OFFLOAD_KEPTTEXT_H
