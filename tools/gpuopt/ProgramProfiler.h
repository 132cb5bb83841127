//===- ProgramProfiler.h - gpuopt run --profile -----------------*- C++ -*-===//

#ifndef TOOLS_GPUOPT_PROGRAMPROFILER_H
#define TOOLS_GPUOPT_PROGRAMPROFILER_H

#include "tools/lib/profile/ProgramProfile.h"

#include "llvm/Support/raw_socket_stream.h"

#include <atomic>
#include <thread>

namespace gpuopt {

/// Listens to the launches of a program and its children while they run.
class ProgramProfiler {
public:
  /// Sets what the runtime of the program reads. Traces go to a folder where
  /// one is given.
  static llvm::Expected<std::unique_ptr<ProgramProfiler>>
  start(llvm::StringRef traceFolder);
  ~ProgramProfiler();

  /// Waits for the processes that have launched kernels; what was wrong with
  /// what they have told.
  llvm::Error finish();
  ProgramProfile &profile() { return programProfile; }

private:
  ProgramProfiler(std::string folder, llvm::ListeningSocket socket,
                  llvm::StringRef traceFolder);
  void listen();
  void read(llvm::raw_socket_stream &stream);

  mlir::MLIRContext context;
  ProgramProfile programProfile;
  /// Holds the socket.
  std::string folder;
  llvm::ListeningSocket socket;
  std::atomic<bool> isEnding = false;
  std::thread listener;
  /// Of the listener until it has ended.
  std::vector<std::thread> readers;
  std::mutex mutex;
  llvm::Error problem = llvm::Error::success();
};

} // namespace gpuopt

#endif // TOOLS_GPUOPT_PROGRAMPROFILER_H
