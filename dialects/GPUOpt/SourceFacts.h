//===- SourceFacts.h - what only the source says of a kernel ----*- C++ -*-===//

#ifndef DIALECTS_GPUOPT_SOURCEFACTS_H
#define DIALECTS_GPUOPT_SOURCEFACTS_H

#include "llvm/ADT/StringRef.h"

namespace gpuopt {

/// Name of the unit attribute of a parameter that is unsigned in the source, or
/// points to what is.
inline constexpr llvm::StringLiteral kUnsignedAttrName = "gpuopt.unsigned";

/// Name of the dictionary of a parameter that is a structure passed by value:
/// `type`, its name, and `members`, a dictionary for each with its `name`,
/// `offset` in bytes, the type of its `element`s, their number along each
/// dimension in `extents`, and what of `pointer`, `const` and `unsigned` it is.
inline constexpr llvm::StringLiteral kStructureAttrName = "gpuopt.structure";

/// Name of the unit attribute of a function whose source computes every
/// position in an array in 32 signed bits: all that are accessed fit them.
inline constexpr llvm::StringLiteral kNarrowPositionsAttrName =
    "gpuopt.narrow_positions";

/// Name of the attribute of an operation whose value is the id of a block along
/// the dimension that it names, for blocks that work in another order.
inline constexpr llvm::StringLiteral kBlockIdAttrName = "gpuopt.block_id";

} // namespace gpuopt

#endif // DIALECTS_GPUOPT_SOURCEFACTS_H
