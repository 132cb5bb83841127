//===- Progress.h - a line that shows how far a run is ----------*- C++ -*-===//

#ifndef TOOLS_LIB_LAUNCH_PROGRESS_H
#define TOOLS_LIB_LAUNCH_PROGRESS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <cstdint>
#include <string>

namespace gpuopt {

/// Shows how far a run is once it has taken two seconds: on a terminal one line
/// that is written over, else a line every two seconds.
class ProgressLine {
public:
  explicit ProgressLine(llvm::raw_ostream &stream) : os(stream) {}
  ProgressLine(const ProgressLine &) = delete;
  ~ProgressLine() { clear(); }

  /// A new run begins: "mm: original kernel".
  void start(llvm::StringRef what);
  /// `done` of `total` blocks have been started, or of what `unit` says.
  void update(int64_t done, int64_t total, llvm::StringRef unit = "block");
  /// Takes the line away.
  void clear();

private:
  using Clock = std::chrono::steady_clock;

  llvm::raw_ostream &os;
  std::string name;
  Clock::time_point begin = Clock::now();
  Clock::time_point shown = begin;
  bool isShown = false;
};

} // namespace gpuopt

#endif // TOOLS_LIB_LAUNCH_PROGRESS_H
