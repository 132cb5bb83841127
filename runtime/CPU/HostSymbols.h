//===- HostSymbols.h - functions that compiled kernels may call -*- C++ -*-===//
//
// Compiled kernels link against this list and nothing else of the process: the
// mathematical functions of C and CUDA, and what the host's back end calls
// where the machine lacks an instruction (half precision, 128-bit integers).
//
//===----------------------------------------------------------------------===//

#ifndef RUNTIME_CPU_HOSTSYMBOLS_H
#define RUNTIME_CPU_HOSTSYMBOLS_H

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"

namespace gpuopt::runtime {

/// Name → address.
const llvm::StringMap<void *> &hostSymbols();

inline bool isHostSymbol(llvm::StringRef name) {
  return hostSymbols().contains(name);
}

} // namespace gpuopt::runtime

#endif // RUNTIME_CPU_HOSTSYMBOLS_H
