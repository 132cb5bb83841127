//===- DirectedRounding.h - rounding up, down and to zero -------*- C++ -*-===//
//
// Compiled kernels round to nearest. For the rest they call these functions,
// which change the host's rounding mode for one operation.
//
//===----------------------------------------------------------------------===//

#ifndef RUNTIME_CPU_DIRECTEDROUNDING_H
#define RUNTIME_CPU_DIRECTEDROUNDING_H

#include "runtime/CPU/SoftFloat.h"

#include <cstdint>

namespace gpuopt::runtime {

enum class RoundingDirection : uint32_t { ToZero, Down, Up };

/// `gpuopt_round_add_f` of floats and `gpuopt_round_add_d` of doubles, which
/// take a direction behind their operands; so `mul`, `div`, `sqrt`, `fma`, and
/// `gpuopt_round_d2f_f`, of a double.
std::vector<HostFunction> directedRoundingSymbols();

} // namespace gpuopt::runtime

#endif // RUNTIME_CPU_DIRECTEDROUNDING_H
