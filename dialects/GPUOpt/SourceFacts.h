//===- SourceFacts.h - what only the source says of a kernel ----*- C++ -*-===//

#ifndef DIALECTS_GPUOPT_SOURCEFACTS_H
#define DIALECTS_GPUOPT_SOURCEFACTS_H

#include "llvm/ADT/StringRef.h"

namespace gpuopt {

/// Name of the unit attribute of a parameter that is unsigned in the source, or
/// points to what is.
inline constexpr llvm::StringLiteral kUnsignedAttrName = "gpuopt.unsigned";

/// Name of the unit attribute of a function whose source computes every
/// position in an array in 32 signed bits: all that are accessed fit them.
inline constexpr llvm::StringLiteral kNarrowPositionsAttrName =
    "gpuopt.narrow_positions";

} // namespace gpuopt

#endif // DIALECTS_GPUOPT_SOURCEFACTS_H
