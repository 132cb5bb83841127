//===- LaunchAttributes.h - how host code launches a kernel -----*- C++ -*-===//
//
// What outlining would lose: the sizes that the host code of an MLIR module
// knows. Both attributes hold integer expressions over the kernel's parameters
// by name, as `#pragma gpuopt` has them.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_ANALYSIS_LAUNCHATTRIBUTES_H
#define PASSES_ANALYSIS_LAUNCHATTRIBUTES_H

#include "llvm/ADT/StringRef.h"

namespace gpuopt {

/// On a kernel: the number of work items in x, y and z.
inline constexpr llvm::StringLiteral kDomainAttrName = "gpuopt.domain";

/// On an argument: the row-major extents of an array passed as a pointer.
inline constexpr llvm::StringLiteral kExtentsAttrName = "gpuopt.extents";

} // namespace gpuopt

#endif // PASSES_ANALYSIS_LAUNCHATTRIBUTES_H
