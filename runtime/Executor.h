//===- Executor.h - run a kernel --------------------------------*- C++ -*-===//
//
// The interface that every executor has: the CPU one now, GPU drivers later.
//
//===----------------------------------------------------------------------===//

#ifndef RUNTIME_EXECUTOR_H
#define RUNTIME_EXECUTOR_H

#include "runtime/Launch.h"
#include "runtime/Profile.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <compare>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace gpuopt {

/// One argument of a launch: a buffer in memory that the executor may read and
/// write (bounds are checked against `size`), or the bytes of a scalar.
struct KernelArgument {
  enum class Kind { Buffer, Scalar } kind = Kind::Scalar;
  /// The buffer, or the scalar's bytes.
  void *data = nullptr;
  /// Bytes at `data`.
  size_t size = 0;
  /// For messages: the parameter's name.
  std::string name;
};

/// One of two accesses that race.
struct RacingAccess {
  enum class Kind { Read, Write, Atomic } kind = Kind::Read;
  /// `file:line:col`; empty where the module has no line info.
  std::string location;

  auto operator<=>(const RacingAccess &) const = default;
};

/// Which accesses race, whichever threads do them.
struct RacingPair {
  RacingAccess first, second;
  bool inWorkgroupMemory = false;
  /// The buffer or variable that both access; empty in workgroup memory, whose
  /// arrays need not be the source's.
  std::string array;

  auto operator<=>(const RacingPair &) const = default;
};

/// Something wrong that a kernel did while it ran.
struct ExecutionFault {
  enum class Kind {
    /// The access was not made.
    OutOfBounds,
    /// The access left its array for other memory that there is; it was made.
    /// Only where the launch reaches a program's memory.
    Stray,
    /// An access of a program at an address that no device can take.
    Misaligned,
    /// Threads came to a barrier that others did not; they went on.
    BarrierDivergence,
    /// They waited for ever, which ended their block.
    Deadlock,
    /// The same in a loop that looks at memory.
    Stall,
    DataRace,
    /// Of memory that nobody has written.
    Uninitialised,
    /// Something depends on a register of PTX that nothing has set.
    UnsetRegister,
    Trap,
    /// A failed `assert`; the message is the text that it has.
    Assertion,
    Timeout,
    /// `interruptLaunches` ended the launch.
    Interrupted,
    /// A work item took more steps through loops than it may.
    StepLimit,
    /// So much went wrong that the rest of the launch did not run.
    FaultLimit,
    Unsupported
  };
  Kind kind = Kind::OutOfBounds;
  /// One line without a position: "thread (3,0,0) of block (1,0,0) reads 4
  /// bytes at a[4096], which has 4096 elements".
  std::string message;
  /// `file:line:col` of the access; empty where the module has no line info.
  std::string location;
  /// Of data races, the smaller access first.
  std::optional<RacingPair> race = {};
};

/// "out of bounds", "data race", …
llvm::StringRef faultName(ExecutionFault::Kind kind);

/// How often one access of a kernel went to global memory.
struct AccessCount {
  enum class Kind { Read, Write, Atomic } kind = Kind::Read;
  /// `file:line:col`; empty where the module has no line info.
  std::string location;
  /// The parameter or variable; empty where it is not always the same.
  std::string array;
  /// Subgroups that executed it, each time counted.
  uint64_t requests = 0;
  /// Sectors that all requests touched.
  uint64_t sectors = 0;
};

/// What a launch moved between the last cache and DRAM, by a model of the cache
/// (runtime/CPU/CacheModel.h).
struct DRAMTraffic {
  uint64_t readBytes = 0;
  uint64_t writtenBytes = 0;
  /// What any order of the accesses has to move.
  uint64_t compulsoryBytes = 0;

  uint64_t bytes() const { return readBytes + writtenBytes; }
};

/// What one launch did.
struct ExecutionResult {
  std::vector<ExecutionFault> faults;
  /// Number of faults; each place in the kernel is in `faults` once, and of
  /// each kind no more than the executor was asked to name are.
  uint64_t faultCount = 0;
  /// Memory transactions to global memory by the target's coalescing rule;
  /// counted only when the executor was asked to.
  uint64_t globalSectors = 0;
  /// Races were to be found, but there is too much memory to look.
  bool skippedRaces = false;
  /// Some block makes so many accesses that this machine cannot count them:
  /// none are counted then.
  bool droppedCounts = false;
  /// The same for each access of the kernel.
  std::vector<AccessCount> accesses;
  /// Only when the executor was given a cache.
  DRAMTraffic dram;
  /// Only of launches that are profiled.
  LaunchCounts profile;
  /// For each argument the bytes of its buffer that were stored to, of whatever
  /// value: 1 for each of them, 0 for the others. What several arguments share
  /// is at the first. Only when the executor was asked to note stores.
  std::vector<std::vector<uint8_t>> stored;
};

/// Runs kernels of one LLVM module.
class Executor {
public:
  virtual ~Executor() = default;

  /// Runs kernel `symbol` once and waits for it. The error is for what cannot
  /// run at all (no such kernel, wrong number of arguments); what goes wrong
  /// inside the kernel is in the result's faults.
  virtual llvm::Expected<ExecutionResult>
  launch(llvm::StringRef symbol, const LaunchConfig &config,
         llvm::ArrayRef<KernelArgument> arguments) = 0;
};

} // namespace gpuopt

#endif // RUNTIME_EXECUTOR_H
