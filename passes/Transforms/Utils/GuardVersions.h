//===- GuardVersions.h - code with and without guards -----------*- C++ -*-===//
//
// What `gpuopt-version-guards` tells the passes behind it.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_TRANSFORMS_UTILS_GUARDVERSIONS_H
#define PASSES_TRANSFORMS_UTILS_GUARDVERSIONS_H

#include "llvm/ADT/StringRef.h"

namespace gpuopt {

/// Name of the unit attribute of an `scf.if` whose first branch is the second
/// one without guards: the second is right wherever the first one is.
inline constexpr llvm::StringLiteral kUnguardedAttrName = "gpuopt.unguarded";

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_UTILS_GUARDVERSIONS_H
