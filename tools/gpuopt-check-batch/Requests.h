//===- Requests.h - what gpuopt-check-batch is asked ------------*- C++ -*-===//

#ifndef TOOLS_GPUOPT_CHECK_BATCH_REQUESTS_H
#define TOOLS_GPUOPT_CHECK_BATCH_REQUESTS_H

#include "tools/lib/check/Check.h"

#include "llvm/Support/JSON.h"

namespace gpuopt {

Dim3 readDim(const llvm::json::Array *list);

/// A launch with its sizes.
RunOptions readLaunch(const llvm::json::Object &launch);

/// What a finished check says: see gpuopt-check-batch.cpp.
std::string describe(const KernelCheck &check);

/// What became of one launch.
struct LaunchOutcome {
  std::string text;
  bool isEndless = false;
};

LaunchOutcome outcomeOf(llvm::Expected<KernelCheck> check);

/// What is wrong with the kernel as it is written; nothing where nothing is.
std::optional<LaunchOutcome> findOwnFault(const Compilation &compilation,
                                          const KernelInfo &kernel,
                                          const RunOptions &run,
                                          double maxSeconds);

/// The texts of all launches of a kernel. Behind one that ran out of time none
/// is tried: it stands for the others.
llvm::json::Array outcomesOf(
    const llvm::json::Array &launches,
    llvm::function_ref<LaunchOutcome(const llvm::json::Object &launch)> check);

/// How the small launches of `request` are checked.
CheckOptions quickChecks(const llvm::json::Object &request);

/// Writes the tuned kernels of a file as source.
llvm::json::Value emitFile(const llvm::json::Object &request);

/// Checks kernels of emitted source.
llvm::json::Value checkEmitted(const llvm::json::Object &request);

} // namespace gpuopt

#endif // TOOLS_GPUOPT_CHECK_BATCH_REQUESTS_H
