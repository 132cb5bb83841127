//===- BFloat16.cpp - what host code needs for bfloat16 -------------------===//
//
// Clang calls these where the host has no instruction for it, and the runtime
// libraries of older GCCs do not have them.
//
//===----------------------------------------------------------------------===//

#include "runtime/CPU/SoftFloat.h"

#include <bit>

using namespace gpuopt::runtime;

extern "C" {
__bf16 __truncsfbf2(float value);
__bf16 __truncdfbf2(double value);
}

__bf16 __truncsfbf2(float value) {
  return std::bit_cast<__bf16>(doubleToBFloat(value));
}
__bf16 __truncdfbf2(double value) {
  return std::bit_cast<__bf16>(doubleToBFloat(value));
}
