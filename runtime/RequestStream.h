//===- RequestStream.h - profiled launches of a program ---------*- C++ -*-===//
//
// How a program's runtime tells `gpuopt run --profile` what its launches ask of
// memory. The runtime knows no rule of any GPU, so the requests themselves
// travel, in frames: a byte for the kind, four for the length, and that many
// bytes. A launch is a frame that begins it, one for each host thread's sink,
// requests of the sinks, and one that ends it. Launches come one after another.
//
//===----------------------------------------------------------------------===//

#ifndef RUNTIME_REQUESTSTREAM_H
#define RUNTIME_REQUESTSTREAM_H

#include "runtime/Executor.h"
#include "runtime/Profile.h"

#include "llvm/Support/raw_ostream.h"

#include <memory>
#include <mutex>
#include <vector>

namespace gpuopt {

/// One run of one version of a kernel.
struct ProfiledLaunch {
  /// The symbol by which the program launches it.
  std::string kernel;
  /// The machine description's name.
  std::string target;
  /// Which launch of the program it belongs to, from 1 on.
  int64_t number = 0;
  bool isTuned = false;
  LaunchConfig config;
};

/// Writes launches to a stream. The sinks may be used by several threads, each
/// by one.
class RequestStreamWriter {
public:
  explicit RequestStreamWriter(llvm::raw_ostream &os);
  ~RequestStreamWriter();

  void begin(const ProfiledLaunch &launch);
  /// Lives until the launch ends.
  RequestSink *addSink(llvm::ArrayRef<AccessSite> sites);
  /// Of the result, what profiles need: counts, traffic to DRAM and faults.
  void end(const ExecutionResult &result);

private:
  class Sink;
  enum class Frame : uint8_t;
  friend class RequestStreamReader;
  void write(Frame kind, llvm::ArrayRef<char> bytes);

  llvm::raw_ostream &os;
  std::mutex mutex, sinksMutex;
  std::vector<std::unique_ptr<Sink>> sinks;
};

/// Who is told what a stream has.
class LaunchObserver {
public:
  virtual ~LaunchObserver() = default;
  virtual llvm::Error begin(const ProfiledLaunch &launch) = 0;
  /// Must live until the launch ends.
  virtual RequestSink *addSink(llvm::ArrayRef<AccessSite> sites) = 0;
  virtual llvm::Error end(const ExecutionResult &result) = 0;
};

/// Fills all of `bytes`, or returns false where the stream is at its end.
using ReadBytes =
    llvm::function_ref<llvm::Expected<bool>(llvm::MutableArrayRef<char>)>;

/// Reads a stream to its end. What is malformed is an error.
llvm::Error readRequestStream(ReadBytes read, LaunchObserver &observer);

} // namespace gpuopt

#endif // RUNTIME_REQUESTSTREAM_H
