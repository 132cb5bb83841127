//===- Profile.h - a launch seen request by request -------------*- C++ -*-===//
//
// What `CPUExecutor::profile` tells about a launch. The executor knows no rule
// of any GPU: it puts the accesses of a subgroup's lanes together into requests
// and hands each one to a sink, which judges it
// (tools/lib/profile/ProfileSink.h).
//
// The k-th execution of an access by each lane of a subgroup, counted since the
// last barrier, is one request. For code that runs in lockstep that is what a
// GPU does; after a divergent loop it pairs iterations with equal numbers.
//
//===----------------------------------------------------------------------===//

#ifndef RUNTIME_PROFILE_H
#define RUNTIME_PROFILE_H

#include "llvm/ADT/ArrayRef.h"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace gpuopt {

/// One load, store or atomic of a kernel.
struct AccessSite {
  enum class Kind { Read, Write, Atomic } kind = Kind::Read;
  /// `file:line:col`; empty where the module has no line info.
  std::string location;
  /// The parameter or variable; empty where it is not always the same.
  std::string array;
  /// Bytes that one lane accesses; 0 where that varies.
  uint64_t bytes = 0;
  /// Bytes of the scalars that these consist of.
  uint64_t elementBytes = 1;
};

/// One execution of an access by the lanes of a subgroup.
struct MemoryRequest {
  /// Index into the sites that the sink was made for.
  uint32_t site = 0;
  /// Workgroup memory; else global memory.
  bool isWorkgroup = false;
  /// Number of the subgroup in its block, and which execution since the last
  /// barrier this is.
  uint32_t subgroup = 0;
  uint64_t turn = 0;
  /// Active lanes, ascending, and the first byte that each accesses. Addresses
  /// are offsets from the start of the buffer, which counts as aligned, plus
  /// its number << 48; in workgroup memory offsets from its start.
  llvm::ArrayRef<int64_t> lanes;
  llvm::ArrayRef<int64_t> addresses;
  /// Bytes that each lane accesses.
  uint64_t bytes = 0;
};

/// Whether neighbouring values, lanes or addresses of a request, all differ by
/// the same.
inline bool areEvenlySpaced(llvm::ArrayRef<int64_t> values) {
  for (size_t i = 2; i < values.size(); ++i)
    if (values[i] - values[i - 1] != values[1] - values[0])
      return false;
  return true;
}

/// Sees the requests of the blocks that one host thread runs.
class RequestSink {
public:
  virtual ~RequestSink() = default;
  /// What follows is of the block with this number, x fastest.
  virtual void startBlock(int64_t) {}
  virtual void request(const MemoryRequest &request) = 0;
  /// The block has come to a barrier or to its end.
  virtual void endInterval() {}
};

/// How to run a launch that is profiled.
struct ProfileRun {
  /// Makes the sink of one host thread; called by each once, possibly at the
  /// same time. The sinks must outlive the launch.
  std::function<RequestSink *(llvm::ArrayRef<AccessSite> sites)> makeSink;
  /// Blocks to run, spread over the grid; 0 for all. Kernels that synchronise
  /// the grid always run all.
  int64_t sampledBlocks = 0;
  /// The dimensions of the thread id from the fastest to the slowest: which
  /// threads form a subgroup. {1, 0, 2} exchanges x and y, as a block of shape
  /// (y, x, z) whose kernel reads threadIdx.y for threadIdx.x does.
  std::array<unsigned, 3> laneOrder = {0, 1, 2};
};

/// How often the lanes of a subgroup went different ways.
struct BranchCount {
  std::string location;
  /// Times that a subgroup executed the branch.
  uint64_t executions = 0;
  /// Those in which some lanes took it and others did not.
  uint64_t divergent = 0;
};

/// Floating-point operations by width. A multiply-add counts as two, each other
/// operation or function of the device library as one, vectors by element.
struct OperationCounts {
  uint64_t f16 = 0;
  uint64_t f32 = 0;
  uint64_t f64 = 0;

  void add(const OperationCounts &other) {
    f16 += other.f16;
    f32 += other.f32;
    f64 += other.f64;
  }
};

/// What else a profiled launch did.
struct LaunchCounts {
  int64_t blocks = 0;
  /// Fewer than `blocks` where the launch was sampled.
  int64_t blocksRun = 0;
  /// Barriers that blocks passed, summed over the blocks that ran.
  uint64_t barriers = 0;
  OperationCounts operations;
  std::vector<BranchCount> branches;
  /// Lanes exchanged values or voted: which threads form a subgroup matters to
  /// the result.
  bool usesSubgroups = false;
};

} // namespace gpuopt

#endif // RUNTIME_PROFILE_H
