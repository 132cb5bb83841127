//===- CompilerDriver.h - gpuopt as the compiler of a build -----*- C++ -*-===//
//
// `gpuopt cc` takes the command lines of nvcc and Clang and makes objects,
// libraries and executables of CUDA programs. Clang's driver plans the work;
// the host side of each file is compiled by Clang as it stands, the device side
// by `Compilation`, and the object gets both ("dual mode" in gpucc,
// section 2.2).
//
//===----------------------------------------------------------------------===//

#ifndef TOOLS_LIB_PROGRAM_COMPILERDRIVER_H
#define TOOLS_LIB_PROGRAM_COMPILERDRIVER_H

#include "llvm/ADT/ArrayRef.h"

namespace gpuopt {

/// Runs the driver on a command line, which begins with the driver's name.
/// Returns the exit code; what is wrong is said.
int runCompilerDriver(llvm::ArrayRef<const char *> arguments);

} // namespace gpuopt

#endif // TOOLS_LIB_PROGRAM_COMPILERDRIVER_H
