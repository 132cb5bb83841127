//===- LaunchRecord.h - what became of a launch -----------------*- C++ -*-===//
//
// For the error that the API gives, for a person who reads standard error, and
// for the log of `gpuopt run`.
//
//===----------------------------------------------------------------------===//

#ifndef RUNTIME_CUDA_LAUNCHRECORD_H
#define RUNTIME_CUDA_LAUNCHRECORD_H

#include "runtime/CUDA/Program.h"

namespace gpuopt::cuda {

/// An argument that points to memory.
struct ArrayArgument {
  std::string name;
  const uint8_t *begin = nullptr;
  /// 0 where that is not known.
  int64_t elementBytes = 0;
};

struct LaunchRecord {
  /// Its symbol.
  std::string kernel;
  /// Of all launches of the program, from 1 on.
  uint64_t number = 0;
  LaunchConfig original;
  /// Whether all its blocks have to run at the same time.
  bool isCooperative = false;
  LaunchDecision decision;
  /// Whether the kernel that ran is another than the original one.
  bool isTuned = false;
  std::vector<ArrayArgument> arrays;
  /// Bytes that differ; nothing where that was not looked at.
  std::optional<uint64_t> differingBytes;
  /// Where the first one is.
  std::string place;
  /// Whether it is of the sample that is checked or sanitized.
  bool isSampled = false;
  /// What went wrong in the kernel.
  std::vector<ExecutionFault> faults;
  /// There was too much memory to look for races.
  bool skippedRaces = false;
  /// Where the host launches, if that is known.
  std::string position;
  /// Why the launch has failed, or what went wrong in the kernel.
  cudaError_t error = cudaSuccess;
};

/// Adds a line to the log, if there is one.
void note(const LaunchRecord &record);

/// The same for any line.
void addToLog(llvm::json::Object line);

/// The error of the API for what went wrong in a kernel.
cudaError_t errorOf(llvm::ArrayRef<ExecutionFault> faults);

/// Says what went wrong, once for each place of a kernel.
void sayFaults(const LaunchRecord &record);

} // namespace gpuopt::cuda

#endif // RUNTIME_CUDA_LAUNCHRECORD_H
