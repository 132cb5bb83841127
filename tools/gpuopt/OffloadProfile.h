//===- OffloadProfile.h - programs that are measured ------------*- C++ -*-===//

#ifndef TOOLS_GPUOPT_OFFLOADPROFILE_H
#define TOOLS_GPUOPT_OFFLOADPROFILE_H

#include "conversion/Offload/OffloadProgram.h"

#include "llvm/Support/Error.h"

namespace gpuopt {

/// What a program is run with, and what it is built with beside its file: each
/// as a shell would part it.
struct MeasuredRun {
  std::string arguments, with;
};

/// Builds the program `path` with measurements, runs it, and hands its shares
/// to `options`.
llvm::Error profileOffload(llvm::StringRef path, const MeasuredRun &run,
                           offload::OffloadOptions &options);

} // namespace gpuopt

#endif // TOOLS_GPUOPT_OFFLOADPROFILE_H
