//===- DeviceSection.h - device code for an object file ---------*- C++ -*-===//

#ifndef TOOLS_LIB_PROGRAM_DEVICESECTION_H
#define TOOLS_LIB_PROGRAM_DEVICESECTION_H

#include "runtime/DeviceImages.h"
#include "tools/lib/compile/Compiler.h"

namespace gpuopt {

/// What an object file carries of `compilation` (see DeviceImages.h): the tuned
/// kernels as bitcode and as PTX, the untouched ones, and their launch rules;
/// with `isAssembled`, machine code as well where there is an assembler.
llvm::Expected<std::vector<DeviceImage>>
makeDeviceImages(const Compilation &compilation, bool isAssembled);

} // namespace gpuopt

#endif // TOOLS_LIB_PROGRAM_DEVICESECTION_H
