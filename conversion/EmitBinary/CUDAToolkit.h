//===- CUDAToolkit.h - where a CUDA toolkit may be --------------*- C++ -*-===//

#ifndef CONVERSION_EMITBINARY_CUDATOOLKIT_H
#define CONVERSION_EMITBINARY_CUDATOOLKIT_H

#include <string>
#include <vector>

namespace gpuopt {

/// Directories that may hold `bin/ptxas` and `nvvm/libdevice`, the user's
/// choice ($CUDA_PATH, $CUDA_HOME) first.
std::vector<std::string> cudaRoots();

} // namespace gpuopt

#endif // CONVERSION_EMITBINARY_CUDATOOLKIT_H
