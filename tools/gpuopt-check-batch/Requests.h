//===- Requests.h - what gpuopt-check-batch is asked ------------*- C++ -*-===//

#ifndef TOOLS_GPUOPT_CHECK_BATCH_REQUESTS_H
#define TOOLS_GPUOPT_CHECK_BATCH_REQUESTS_H

#include "tools/lib/Check.h"

#include "llvm/Support/JSON.h"

namespace gpuopt {

Dim3 readDim(const llvm::json::Array *list);

/// A launch with its sizes.
RunOptions readLaunch(const llvm::json::Object &launch);

/// What a finished check says: see gpuopt-check-batch.cpp.
std::string describe(const KernelCheck &check);

/// What is wrong with the kernel as it is written; empty where nothing is.
std::string findOwnFault(const Compilation &compilation,
                         const KernelInfo &kernel, const RunOptions &run);

/// How small launches are checked.
CheckOptions quickChecks();

/// Writes the tuned kernels of a file as source.
llvm::json::Value emitFile(const llvm::json::Object &request);

/// Checks kernels of emitted source.
llvm::json::Value checkEmitted(const llvm::json::Object &request);

} // namespace gpuopt

#endif // TOOLS_GPUOPT_CHECK_BATCH_REQUESTS_H
