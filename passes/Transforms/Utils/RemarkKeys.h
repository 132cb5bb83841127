//===- RemarkKeys.h - what remarks tell programs ----------------*- C++ -*-===//

#ifndef PASSES_TRANSFORMS_UTILS_REMARKKEYS_H
#define PASSES_TRANSFORMS_UTILS_REMARKKEYS_H

#include "llvm/ADT/StringRef.h"

namespace gpuopt {

/// Metric of a remark on a step by which floating-point sums in a loop have
/// another order than in the source. Every such step has it: checks compare bit
/// for bit without.
inline constexpr llvm::StringLiteral kReordersSumsKey = "reorders_sums";

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_UTILS_REMARKKEYS_H
