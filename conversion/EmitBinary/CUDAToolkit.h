//===- CUDAToolkit.h - where a CUDA toolkit may be --------------*- C++ -*-===//

#ifndef CONVERSION_EMITBINARY_CUDATOOLKIT_H
#define CONVERSION_EMITBINARY_CUDATOOLKIT_H

#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace gpuopt {

/// Directories that may hold `bin/ptxas` and `nvvm/libdevice`, the user's
/// choice ($CUDA_PATH, $CUDA_HOME) first.
std::vector<std::string> cudaRoots();

/// Path of a program of the toolkit: what the environment's `variable` says,
/// else beside this program, in PATH, in one of the roots. Empty where not
/// found.
std::string findCUDATool(llvm::StringRef name, llvm::StringRef variable);

} // namespace gpuopt

#endif // CONVERSION_EMITBINARY_CUDATOOLKIT_H
