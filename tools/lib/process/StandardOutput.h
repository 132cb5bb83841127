//===- StandardOutput.h - what happens where it is full ---------*- C++ -*-===//

#ifndef TOOLS_LIB_PROCESS_STANDARDOUTPUT_H
#define TOOLS_LIB_PROCESS_STANDARDOUTPUT_H

#include "llvm/ADT/StringRef.h"

namespace gpuopt {

/// Makes `program`, whose name must outlive it, say at its end why what it has
/// sent to `llvm::outs()` could not be written, and exit with 1 then. Help and
/// versions are printed by libraries that end the program themselves.
void reportOutputErrors(llvm::StringRef program);

} // namespace gpuopt

#endif // TOOLS_LIB_PROCESS_STANDARDOUTPUT_H
