//===- Outputs.h - the files that a command writes --------------*- C++ -*-===//

#ifndef TOOLS_GPUOPT_OUTPUTS_H
#define TOOLS_GPUOPT_OUTPUTS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Support/Error.h"

namespace gpuopt {

/// Fails where an output would replace a file that the command reads, or
/// another output of it. `included` are files that the input includes, once
/// that is known.
llvm::Error checkOutputs(const llvm::opt::InputArgList &arguments,
                         llvm::ArrayRef<std::string> included = {});

/// Writes `contents` to `path`, or to standard output for "-". A file is
/// replaced as a whole, that of a symbolic link where the link points to, and
/// left as it was when that fails; a device or a pipe is written to.
llvm::Error writeOutput(llvm::StringRef path, llvm::StringRef contents);

} // namespace gpuopt

#endif // TOOLS_GPUOPT_OUTPUTS_H
