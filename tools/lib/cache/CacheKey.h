//===- CacheKey.h - what results on disk depend on --------------*- C++ -*-===//
//
// The parts of keys that all caches on disk have in common, and where they are.
//
//===----------------------------------------------------------------------===//

#ifndef TOOLS_LIB_CACHE_CACHEKEY_H
#define TOOLS_LIB_CACHE_CACHEKEY_H

#include "llvm/ADT/ArrayRef.h"

#include <string>

namespace gpuopt {

/// $GPUOPT_CACHE_DIR, else $XDG_CACHE_HOME/gpuopt, else ~/.cache/gpuopt; empty
/// where none of these is known.
std::string cacheDirectory();

/// A key for `parts`, in which their boundaries count.
std::string makeCacheKey(llvm::ArrayRef<std::string> parts);

/// What tells this build of the compiler from others: its version and the build
/// ids of the program and of LLVM's libraries.
std::string compilerIdentity();

/// The assembler, the disassembler and the device libraries that are found:
/// path, size and time of change of each.
std::string deviceToolsIdentity();

} // namespace gpuopt

#endif // TOOLS_LIB_CACHE_CACHEKEY_H
