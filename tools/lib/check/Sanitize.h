//===- Sanitize.h - does a kernel keep the rules? ---------------*- C++ -*-===//
//
// Runs a kernel as it is written in the CPU executor and looks for what is
// wrong on any GPU: accesses out of bounds, data races within and between
// blocks, diverging barriers, and reads of workgroup memory that nobody wrote
// (`gpuopt sanitize`).
//
//===----------------------------------------------------------------------===//

#ifndef TOOLS_LIB_CHECK_SANITIZE_H
#define TOOLS_LIB_CHECK_SANITIZE_H

#include "runtime/CPUExecutor.h"
#include "tools/lib/compile/Compiler.h"
#include "tools/lib/launch/Problem.h"
#include "tools/lib/launch/Progress.h"

#include "llvm/Support/JSON.h"

namespace gpuopt {

/// What was found in one kernel.
struct KernelSanity {
  KernelInfo kernel;
  LaunchConfig launch;
  /// One for each place; at most ten of each kind.
  std::vector<ExecutionFault> faults;
  /// Integer arrays that are made up, and may be to blame.
  std::vector<std::string> madeUpIntegers;
  /// All of them, counted.
  uint64_t faultCount = 0;
};

/// Runs `kernel` once on the problem that `run` describes. The error is for
/// what keeps it from running at all, and for data that is too large to be
/// watched for races. `stop` is that of CPUExecutorOptions.
llvm::Expected<KernelSanity>
sanitizeKernel(const Compilation &compilation, const KernelInfo &kernel,
               const RunOptions &run, ProgressLine *progress, double maxSeconds,
               uint64_t maxSteps = CPUExecutorOptions().maxSteps,
               const std::atomic<bool> *stop = nullptr);

void printSanity(const KernelSanity &sanity, llvm::raw_ostream &os);
llvm::json::Object makeReport(const KernelSanity &sanity);

} // namespace gpuopt

#endif // TOOLS_LIB_CHECK_SANITIZE_H
