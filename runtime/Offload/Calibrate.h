//===- Calibrate.h - how fast a host is -------------------------*- C++ -*-===//

#ifndef RUNTIME_OFFLOAD_CALIBRATE_H
#define RUNTIME_OFFLOAD_CALIBRATE_H

#include "runtime/Offload/Decide.h"

namespace gpuopt::offload {

/// Measures with all processors how many additions of doubles the host does,
/// and how many bytes it moves to and from memory: the best of some runs, as
/// other programs only make it slower.
void measureHost(Machine &machine);

/// The lines that `readMachine` reads.
std::string machineText(const Machine &machine);

} // namespace gpuopt::offload

#endif // RUNTIME_OFFLOAD_CALIBRATE_H
