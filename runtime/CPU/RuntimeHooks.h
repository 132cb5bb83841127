//===- RuntimeHooks.h - what compiled kernels call back ---------*- C++ -*-===//

#ifndef RUNTIME_CPU_RUNTIMEHOOKS_H
#define RUNTIME_CPU_RUNTIMEHOOKS_H

#include "llvm/ADT/StringRef.h"

#include <utility>
#include <vector>

namespace gpuopt::runtime {

/// The `gpuopt.` functions of instrumented kernels, by name.
std::vector<std::pair<llvm::StringRef, void *>> runtimeHooks();

} // namespace gpuopt::runtime

#endif // RUNTIME_CPU_RUNTIMEHOOKS_H
