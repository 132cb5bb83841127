//===- JoinedStructures.h - a note for what emits binaries ------*- C++ -*-===//
//
// What `kStructuresAttrName` says of a kernel, where it is LLVM IR.
//
//===----------------------------------------------------------------------===//

#ifndef DIALECTS_GPUOPT_JOINEDSTRUCTURES_H
#define DIALECTS_GPUOPT_JOINEDSTRUCTURES_H

#include "llvm/ADT/StringRef.h"

namespace gpuopt {

/// Function attribute of LLVM's: for each structure that takes the place of
/// parameters the number of the first of these, its bytes, its alignment and
/// the parameters' offsets: "1,24,8,0,8,12;5,8,4,0,4".
inline constexpr llvm::StringLiteral kJoinedStructuresAttrName =
    "gpuopt-joined-structures";

} // namespace gpuopt

#endif // DIALECTS_GPUOPT_JOINEDSTRUCTURES_H
