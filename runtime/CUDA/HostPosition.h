//===- HostPosition.h - where the host calls from ---------------*- C++ -*-===//

#ifndef RUNTIME_CUDA_HOSTPOSITION_H
#define RUNTIME_CUDA_HOSTPOSITION_H

#include <string>

namespace gpuopt::cuda {

/// Where the program has called the function of the API that now runs:
/// `main.cu:20:3` where it has line info (`-g`), else empty.
std::string hostPosition();

} // namespace gpuopt::cuda

#endif // RUNTIME_CUDA_HOSTPOSITION_H
