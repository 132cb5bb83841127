//===- LaunchRun.h - one launch while it runs -------------------*- C++ -*-===//
//
// Owns what all blocks of a launch share: the argument block, the table of
// memory that may be accessed, faults, counts, and the host threads that run
// the blocks.
//
//===----------------------------------------------------------------------===//

#ifndef RUNTIME_CPU_LAUNCHRUN_H
#define RUNTIME_CPU_LAUNCHRUN_H

#include "runtime/CPU/CacheModel.h"
#include "runtime/CPU/Faults.h"
#include "runtime/CPU/KernelFacts.h"
#include "runtime/CPU/LaunchClock.h"
#include "runtime/CPU/Layout.h"
#include "runtime/CPU/RaceCheck.h"
#include "runtime/CPU/StallWatch.h"
#include "runtime/CPUExecutor.h"

#include <atomic>
#include <condition_variable>
#include <limits>
#include <map>
#include <memory>
#include <optional>

namespace gpuopt::runtime {

/// A kernel that is ready to run.
struct CompiledKernel {
  KernelFacts facts;
  /// `void (ThreadContext *)`, or `void *(ThreadContext *)` for a coroutine.
  void *entry = nullptr;
};

/// Memory that a kernel may access through any pointer.
struct MemoryRange {
  uint8_t *begin = nullptr;
  uint64_t bytes = 0;
  std::string name;
  /// See ReachableMemory.
  uint64_t spareBytes = 0;
  uint64_t marginBytes = 0;
  uint8_t *isWritten = nullptr;

  bool contains(const uint8_t *address, uint64_t size) const {
    uint64_t offset = uint64_t(address) - uint64_t(begin);
    return size <= bytes && offset <= bytes - size;
  }
};

/// Requests and sectors of one access.
struct SectorCount {
  uint64_t requests = 0;
  uint64_t sectors = 0;
};

class LaunchRun {
public:
  LaunchRun(const CompiledKernel &kernel, const CPUExecutorOptions &options,
            const LaunchConfig &config,
            llvm::ArrayRef<KernelArgument> arguments,
            llvm::ArrayRef<MemoryRange> globals,
            const ProfileRun *profile = nullptr);

  /// Runs all blocks and reports.
  ExecutionResult run();

  bool stopped() const {
    return __atomic_load_n(&context.stop, __ATOMIC_RELAXED);
  }
  int64_t threadsPerBlock() const {
    return config.block[0] * config.block[1] * config.block[2];
  }
  /// Blocks that run: fewer than there are where a profile takes samples.
  int64_t blocksToRun() const;
  int64_t blocks() const {
    return config.grid[0] * config.grid[1] * config.grid[2];
  }
  /// The buffer, variable or reachable memory that holds the bytes, or null.
  const MemoryRange *findRange(const uint8_t *address, uint64_t bytes) const;
  /// Whether the bytes are reachable, in the spare ones behind what is, or, for
  /// reads, in the margins around it.
  bool isBacked(const uint8_t *address, uint64_t bytes, bool isRead) const;
  /// Whether the bytes are beside a variable, where a device has others.
  bool isBesideVariable(const uint8_t *address, uint64_t bytes) const;
  /// Whether kernels reach a program's memory.
  bool isOfProgram() const { return options.reachable != nullptr; }
  /// The name of what a site accesses; empty where it varies.
  const std::string &objectName(const Site &site) const;
  /// For `ExecutionResult::stored`.
  void noteStore(const uint8_t *address, uint64_t bytes);
  void addCounts(llvm::ArrayRef<SectorCount> counts);
  /// Accesses that a block may keep in mind until its threads meet.
  uint64_t mostNotedAccesses() const { return noteLimit; }
  /// Counts nothing any more, since a block would have to keep more in mind, as
  /// one has that never ends. A launch that is profiled has no other purpose:
  /// it stops.
  void dropCounts();
  bool hasDroppedCounts() const {
    return droppedCounts.load(std::memory_order_relaxed);
  }
  /// "after 300 seconds", or "when it was interrupted".
  std::string whenStopped() const;
  /// The fault of what runs then.
  bool wasInterrupted() const;
  ExecutionFault::Kind stopKind() const;
  /// Steps that a thread gets which has had `steps`.
  uint32_t stepsBehind(uint64_t steps) const;
  /// The block at which the launch ends early: it and those behind it stop.
  /// Those before it run on, so that what is reported does not depend on how
  /// fast they are.
  int64_t endBlock() const {
    return firstEnded.load(std::memory_order_relaxed);
  }
  void endAt(int64_t block);
  bool endsEarly() const {
    return endBlock() != std::numeric_limits<int64_t>::max();
  }
  /// Notes how much went wrong in a block.
  void addFaults(int64_t block, uint64_t count);
  /// Adds what one BlockRun counted for the profile.
  void addProfile(const LaunchCounts &counts);
  /// What a sink is made for.
  llvm::ArrayRef<AccessSite> accessSites() const { return sitesForSinks; }
  /// Replays what block `number` did once all blocks before it have been.
  void addTrace(int64_t number, SectorTrace trace);

  const CompiledKernel &kernel;
  const KernelFacts &facts;
  const CPUExecutorOptions &options;
  const LaunchConfig &config;
  /// Null where the launch is not profiled.
  const ProfileRun *const profile;
  LaunchContext context = {};
  FaultLog faults;
  StallWatch stalls;
  std::unique_ptr<RaceCheck> races;
  std::unique_ptr<CacheModel> cache;
  /// Module variables, so many, then buffers, or what is reachable.
  const size_t numVariables;
  /// Races were to be found, but there is too much memory.
  bool skipsRaces = false;
  std::vector<MemoryRange> ranges;
  /// The launch's names of the parameters, where it gives any.
  std::vector<std::string> parameterNames;

private:
  void addReachable();
  /// The last reachable memory that begins at `address` or before, or null.
  const MemoryRange *reachableBefore(const uint8_t *address) const;
  BufferBounds boundsOf(const uint8_t *pointer) const;
  void packArguments(llvm::ArrayRef<KernelArgument> arguments);
  void buildAMDRecords();
  void describeSites();
  /// The block that runs as the one number `index`.
  int64_t chosenBlock(int64_t index) const;
  unsigned workerCount() const;
  /// For `CPUExecutorOptions::raceEffects`.
  void noteUnsettled();
  void runIndependentBlocks();
  void runBlocksTogether();
  /// Says that the blocks do not fit beside each other.
  void refuseTogether(uint64_t limitBytes);
  /// Calls `work` on each host thread and stops the launch when time is up.
  void runWorkers(llvm::function_ref<void()> work);
  /// Stops the launch where its time is up or somebody interrupts it.
  void stopIfDue();
  /// The last block that is reported where the launch ends early; else nothing.
  std::optional<int64_t> lastBlock() const;
  void reportFaults(ExecutionResult &result);

  std::vector<uint8_t> argumentStorage;
  std::vector<BufferBounds> bounds;
  /// `ExecutionResult::stored`; empty where it is not wanted.
  std::vector<std::vector<uint8_t>> stored;
  std::vector<uint8_t> implicitStorage, packetStorage;
  std::atomic<int64_t> nextBlock{0};
  std::unique_ptr<LaunchClock> clock;
  std::atomic<int64_t> firstEnded{std::numeric_limits<int64_t>::max()};
  /// By block.
  std::map<int64_t, uint64_t> faultCounts;
  std::atomic<uint64_t> faultTotal{0};
  std::mutex faultMutex;
  /// Why the launch cannot run; empty where it can.
  std::string refusal;
  uint64_t noteLimit;
  std::atomic<bool> droppedCounts{false};
  std::mutex countMutex;
  std::vector<SectorCount> counts;
  LaunchCounts profileCounts;
  std::vector<AccessSite> sitesForSinks;
  std::mutex traceMutex;
  std::map<int64_t, SectorTrace> traces;
  int64_t nextTrace = 0;
};

} // namespace gpuopt::runtime

#endif // RUNTIME_CPU_LAUNCHRUN_H
