//===- ComparedPointers.h - parameters that are ends of arrays --*- C++ -*-===//

#ifndef TOOLS_LIB_LAUNCH_COMPAREDPOINTERS_H
#define TOOLS_LIB_LAUNCH_COMPAREDPOINTERS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Module.h"

#include <optional>
#include <utility>

namespace gpuopt {

/// Two parameters of which a kernel compares places, or counts the elements in
/// between: `for (; p < end; ++p)` with `p` and `end`. They must point into one
/// array. Parameters that are compared as they are passed, or with the same
/// offset in all threads, as for whether arrays overlap, need not.
std::optional<std::pair<unsigned, unsigned>>
findComparedPointers(const llvm::Module &module, llvm::StringRef kernel);

} // namespace gpuopt

#endif // TOOLS_LIB_LAUNCH_COMPAREDPOINTERS_H
