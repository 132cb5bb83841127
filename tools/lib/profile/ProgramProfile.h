//===- ProgramProfile.h - the kernels of a running program ------*- C++ -*-===//
//
// What `gpuopt run --profile` finds: the profile of each kernel that a program
// launches, over all its launches with the program's own data (section 3 of
// Fauzia et al. 2015 for whole applications).
//
//===----------------------------------------------------------------------===//

#ifndef TOOLS_LIB_PROFILE_PROGRAMPROFILE_H
#define TOOLS_LIB_PROFILE_PROGRAMPROFILE_H

#include "runtime/RequestStream.h"
#include "tools/lib/profile/Profile.h"

#include <atomic>
#include <mutex>

namespace gpuopt {

/// A kernel of a program. Its measurements are sums over launches; the grid and
/// block in them are those of the first one.
struct ProgramKernel {
  std::string symbol;
  TargetAttr target;
  uint64_t launches = 0;
  KernelMeasurement asWritten, optimized;
};

class ProgramProfile {
public:
  /// With a folder, each launch's requests go into files there, one for each
  /// version (RequestTrace.h).
  explicit ProgramProfile(mlir::MLIRContext *context,
                          std::string traceFolder = "")
      : context(context), traceFolder(std::move(traceFolder)) {}

  /// Reads the launches of one process to the end of its stream. Several
  /// threads may do so.
  llvm::Error read(ReadBytes read);

  /// Judges what has been read: the kernels, the one that moves the most
  /// sectors as written first.
  std::vector<const ProgramKernel *> judge();

private:
  class Observer;

  mlir::MLIRContext *context;
  const std::string traceFolder;
  std::mutex mutex;
  std::atomic<unsigned> processes = 0;
  /// By symbol.
  std::map<std::string, ProgramKernel> kernels;
};

/// The kernels as JSON: `makeReport(KernelMeasurement)` of both versions of
/// each kernel, with the number of its `launches`.
llvm::json::Array makeReport(llvm::ArrayRef<const ProgramKernel *> kernels);

} // namespace gpuopt

#endif // TOOLS_LIB_PROFILE_PROGRAMPROFILE_H
