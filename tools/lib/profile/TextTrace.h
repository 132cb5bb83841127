//===- TextTrace.h - the accesses of a launch as a table --------*- C++ -*-===//
//
// The trace of Fauzia, Pouchet and Sadayappan (CGO 2015, section 3) in columns:
// the block and the thread, the access of the code (static_id), whether it
// loads or stores, the address, and which execution of the access by this
// thread it is (dyn_id). A row for each thread: RequestTrace.h has a smaller
// form.
//
//===----------------------------------------------------------------------===//

#ifndef TOOLS_LIB_PROFILE_TEXTTRACE_H
#define TOOLS_LIB_PROFILE_TEXTTRACE_H

#include "runtime/Launch.h"
#include "tools/lib/profile/RequestTrace.h"

#include "llvm/ADT/DenseMap.h"

namespace gpuopt {

/// Writes what it sees to `file` and passes it on to `next`.
class TextTraceSink : public RequestSink {
public:
  TextTraceSink(TraceFile &file, llvm::ArrayRef<AccessSite> sites,
                const LaunchConfig &launch, int64_t subgroupSize,
                RequestSink &next)
      : file(file), sites(sites), launch(launch), subgroupSize(subgroupSize),
        next(next) {}
  ~TextTraceSink() override { file.appendText(rows); }

  void startBlock(int64_t number) override;
  void request(const MemoryRequest &request) override;
  void endInterval() override { next.endInterval(); }

private:
  TraceFile &file;
  std::vector<AccessSite> sites;
  LaunchConfig launch;
  int64_t subgroupSize;
  RequestSink &next;
  Dim3 block = {0, 0, 0};
  /// By thread and access.
  llvm::DenseMap<std::pair<int64_t, unsigned>, uint64_t> executions;
  std::string rows;
};

} // namespace gpuopt

#endif // TOOLS_LIB_PROFILE_TEXTTRACE_H
