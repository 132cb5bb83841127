//===- RequestTrace.h - the requests of a launch as a file ------*- C++ -*-===//
//
// The trace from which Algorithm 1 works (ProfileSink.h), for other programs.
// docs/profile.md describes the format; test/tools/Inputs/profile/read_trace.py
// reads it.
//
//===----------------------------------------------------------------------===//

#ifndef TOOLS_LIB_PROFILE_REQUESTTRACE_H
#define TOOLS_LIB_PROFILE_REQUESTTRACE_H

#include "runtime/Profile.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/ToolOutputFile.h"

#include <mutex>
#include <vector>

namespace gpuopt {

/// A trace while it is written; by several host threads at once.
class TraceFile {
public:
  /// Creates the file; it is removed again unless `keep` is called. One whose
  /// name ends in .csv is a table (TextTrace.h).
  static llvm::Expected<std::unique_ptr<TraceFile>>
  create(llvm::StringRef path);
  ~TraceFile();

  /// Writes the head, once: what the numbers of the accesses mean.
  void begin(llvm::ArrayRef<AccessSite> sites, llvm::json::Object about);
  bool isText() const { return writesText; }
  void appendText(llvm::StringRef rows);
  /// Appends a frame of whole records.
  void append(llvm::ArrayRef<uint8_t> records);
  /// The trace is whole; the error is for what could not be written.
  llvm::Error keep();
  uint64_t bytesWritten() const { return bytes; }

private:
  void write(llvm::ArrayRef<uint8_t> data);

  std::mutex mutex;
  std::unique_ptr<llvm::ToolOutputFile> file;
  bool writesText = false;
  bool hasBegun = false;
  uint64_t bytes = 0;
};

/// Writes the requests that it sees to `file` and passes them on to `next`.
class TraceSink : public RequestSink {
public:
  TraceSink(TraceFile &file, RequestSink &next) : file(file), next(next) {}
  ~TraceSink() override { flush(); }

  void startBlock(int64_t number) override {
    block = number;
    interval = 0;
    next.startBlock(number);
  }
  void request(const MemoryRequest &request) override;
  void endInterval() override {
    ++interval;
    next.endInterval();
  }
  void flush();

private:
  TraceFile &file;
  RequestSink &next;
  int64_t block = 0;
  /// Barriers that the block has passed.
  uint64_t interval = 0;
  std::vector<uint8_t> records;
};

} // namespace gpuopt

#endif // TOOLS_LIB_PROFILE_REQUESTTRACE_H
