//===- SoftFloat.h - half precision in software -----------------*- C++ -*-===//
//
// The host's back end calls these helpers where the machine has no instruction
// for `half` or `bfloat`. Not every compiler runtime has them, so they are
// here.
//
//===----------------------------------------------------------------------===//

#ifndef RUNTIME_CPU_SOFTFLOAT_H
#define RUNTIME_CPU_SOFTFLOAT_H

#include <cstdint>
#include <vector>

namespace gpuopt::runtime {

/// A function by the name that compiled kernels call it.
struct HostFunction {
  const char *name;
  void *address;
};

std::vector<HostFunction> softFloatSymbols();

/// IEEE binary16 ↔ double, rounding to nearest even.
double halfToDouble(uint16_t bits);
uint16_t doubleToHalf(double value);
/// bfloat16, rounding to nearest even.
uint16_t doubleToBFloat(double value);

} // namespace gpuopt::runtime

#endif // RUNTIME_CPU_SOFTFLOAT_H
