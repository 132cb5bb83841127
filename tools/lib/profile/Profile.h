//===- Profile.h - what a kernel asks of memory -----------------*- C++ -*-===//
//
// Runs a kernel in the CPU executor with every access noted, and tells for each
// access of the source how it uses memory, for the kernel as a whole what
// bounds it, and what would help (`gpuopt profile`). docs/profile.md explains
// the figures.
//
//===----------------------------------------------------------------------===//

#ifndef TOOLS_LIB_PROFILE_PROFILE_H
#define TOOLS_LIB_PROFILE_PROFILE_H

#include "runtime/CPUExecutor.h"
#include "tools/lib/compile/Compiler.h"
#include "tools/lib/launch/Problem.h"
#include "tools/lib/launch/Progress.h"
#include "tools/lib/profile/ProfileSink.h"
#include "tools/lib/profile/RequestTrace.h"

#include "llvm/Support/JSON.h"

namespace gpuopt {

/// One access of the source. Copies that the compiler made of it count as one.
struct AccessMeasurement {
  AccessKind kind = AccessKind::Load;
  std::string location;
  std::string array;
  /// Bytes that one lane accesses.
  uint64_t bytes = 0;
  /// Copies in the code that ran.
  unsigned copies = 0;
  AccessFigures figures;
  SampleRequest sample;
  Verdict verdict = Verdict::Unresolved;
  /// Share of the kernel's global sectors; 0 in workgroup memory.
  double trafficShare = 0;
  /// Only where the whole grid ran: Algorithm 1's allStr, and the bytes that
  /// were touched at least once.
  std::optional<int64_t> largestGap;
  std::optional<uint64_t> footprintBytes;
  /// Sectors by partition of memory that active blocks touch at a time; empty
  /// where the target has none to camp in, and for workgroup memory.
  std::vector<uint64_t> partitionSectors;
  /// What would help, best first.
  std::vector<std::string> suggestions;

  /// Whether it is the same access of the source, perhaps of another launch.
  bool isSameAs(const AccessMeasurement &other) const {
    return location == other.location && array == other.array &&
           kind == other.kind && bytes == other.bytes &&
           figures.isWorkgroup == other.figures.isWorkgroup;
  }
  /// Algorithm 1's verdict: no stride is larger than an element.
  bool isCoalesced() const {
    return !figures.strides.count || figures.strides.max <= int64_t(bytes);
  }
  double perRequest(double total) const {
    return figures.requests ? total / double(figures.requests) : 0;
  }
  /// Bytes that lanes use of those that are moved, 0 to 1.
  double efficiency(int64_t sectorBytes) const;
};

/// The same blocks with other threads as neighbours.
struct GeometryCandidate {
  /// Dimensions of the thread id from the fastest to the slowest.
  std::array<unsigned, 3> order = {0, 1, 2};
  uint64_t sectors = 0;
  /// Algorithm 1's count of uncoalesced accesses.
  unsigned uncoalesced = 0;
  /// Sectors per request, by index into the accesses; 0 where it did not run.
  std::vector<double> sectorsPerRequest;
};

/// What keeps a kernel from being faster, at best.
struct Roofline {
  /// Operations per byte of DRAM traffic, and the highest rate that this
  /// allows, in 10^9 operations per second.
  double intensity = 0;
  double attainableGflops = 0;
  /// Where the roof of the bandwidth meets that of the arithmetic.
  double ridge = 0;
  /// Least time, in microseconds: for the DRAM traffic and for the arithmetic.
  double memoryMicroseconds = 0;
  double arithmeticMicroseconds = 0;

  bool isMemoryBound() const {
    return memoryMicroseconds >= arithmeticMicroseconds;
  }
};

/// One version of a kernel at one size.
struct KernelMeasurement {
  KernelInfo kernel;
  bool isTuned = false;
  /// An instrumented kernel has recorded its accesses (RecordedTrace.h):
  /// nothing else is known.
  bool isRecorded = false;
  /// The tuned kernel cannot cover the launch: the original one ran.
  bool usedFallback = false;
  LaunchConfig launch;
  std::vector<AccessMeasurement> accesses;
  LaunchCounts counts;
  /// Nothing where only a sample of the blocks ran.
  std::optional<DRAMTraffic> dram;
  std::optional<Roofline> roofline;
  /// The launch's own order first; empty where no other was tried.
  std::vector<GeometryCandidate> geometries;
  std::vector<ExecutionFault> faults;
  WorkgroupUse workgroupUse;

  bool isSampled() const { return counts.blocksRun < counts.blocks; }
  /// The geometry that moves the fewest sectors, which weighs accesses by how
  /// often they run; null where it is the one that the kernel has.
  const GeometryCandidate *bestGeometry() const;
  /// Of all accesses of global memory that ran.
  RequestCost globalCost() const;
  uint64_t globalRequests() const;
  uint64_t divergentBranches() const;
  uint64_t branches() const;
};

struct ProfileOptions {
  RunOptions run;
  /// Blocks to run; 0 for all. By default all where they access memory at most
  /// `exactAccesses` times.
  std::optional<int64_t> sampledBlocks;
  ProgressLine *progress = nullptr;
  /// `CPUExecutorOptions::stop`.
  const std::atomic<bool> *stop = nullptr;
  /// A launch that takes longer is a fault.
  double maxSeconds = CPUExecutorOptions().maxSeconds;
  /// So is a work item that takes more steps through loops.
  uint64_t maxSteps = CPUExecutorOptions().maxSteps;
  /// Where to write every request, or null.
  TraceFile *trace = nullptr;

  static constexpr uint64_t exactAccesses = uint64_t(1) << 29;
  /// What a sample, and a try of another geometry, may access.
  static constexpr uint64_t sampleAccesses = uint64_t(1) << 26;
};

/// Profiles the kernel as written or, where `tuned`, as the compiler left it.
/// The error is for what keeps it from running at all.
llvm::Expected<KernelMeasurement> profileKernel(const Compilation &compilation,
                                                const KernelInfo &kernel,
                                                bool tuned,
                                                const ProfileOptions &options);

/// Writes the verdicts, the traffic shares and the suggestions into `profile`.
void judgeProfile(KernelMeasurement &profile, TargetAttr target);

/// "x", "y" or "z".
llvm::StringRef dimensionName(unsigned dimension);

/// Prints for a person.
void printProfile(const KernelMeasurement &profile, TargetAttr target,
                  llvm::raw_ostream &os);
/// Prints both versions of one kernel side by side.
void printComparison(const KernelMeasurement &original,
                     const KernelMeasurement &tuned, llvm::raw_ostream &os);

/// The same as JSON; see docs/profile.md.
llvm::json::Object makeReport(const KernelMeasurement &profile,
                              TargetAttr target);

} // namespace gpuopt

#endif // TOOLS_LIB_PROFILE_PROFILE_H
