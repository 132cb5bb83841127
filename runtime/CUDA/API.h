//===- API.h - the CUDA runtime API that programs call ----------*- C++ -*-===//
//
// The declarations that host code is compiled with, so that the two cannot
// differ.
//
//===----------------------------------------------------------------------===//

#ifndef RUNTIME_CUDA_API_H
#define RUNTIME_CUDA_API_H

#include <cstddef>
#include <cstdint>

/// As the prelude has it, without what only a compiler for CUDA knows.
struct dim3 {
  unsigned x, y, z;
};

#include "gpuopt/runtime_types.h"

#include "gpuopt/runtime_functions.h"

#endif // RUNTIME_CUDA_API_H
