//===- CPUExecutor.h - run target LLVM IR on the host -----------*- C++ -*-===//
//
// Takes the LLVM IR that the back end gets (NVPTX or AMDGPU flavoured, or
// Clang's untouched import), replaces what only a GPU has (ids, barriers,
// shuffles, atomics, device-library calls, address spaces), and compiles it
// for the host. A thread is a coroutine: it suspends at barriers and subgroup
// operations, so any control flow may surround them. Blocks run in parallel on
// all cores.
//
//===----------------------------------------------------------------------===//

#ifndef RUNTIME_CPUEXECUTOR_H
#define RUNTIME_CPUEXECUTOR_H

#include "runtime/Executor.h"

#include "llvm/IR/Module.h"

#include <atomic>
#include <cstdint>
#include <memory>

namespace gpuopt {

class ErrorShadow;
class RaceEffects;

/// A `__device__` or `__constant__` variable of a module.
struct ModuleVariable {
  /// Its symbol.
  llvm::StringRef name;
  llvm::MutableArrayRef<uint8_t> bytes;
  /// It began with the address of a variable, which is another one in each
  /// executor.
  bool holdsAddress = false;
};

/// Memory that kernels may reach by any pointer.
struct ReachableMemory {
  uint8_t *begin = nullptr;
  uint64_t bytes = 0;
  /// Bytes behind it that an access may touch without harm, as on a device,
  /// whose memory comes in larger pieces than programs ask for.
  uint64_t spareBytes = 0;
  /// Bytes before and behind it that can be read at least.
  uint64_t marginBytes = 0;
  /// For messages.
  std::string name;
  /// Of each byte whether it has been written, 1 or 0, which kernels keep up to
  /// date; null where all are.
  uint8_t *isWritten = nullptr;
};

struct CPUExecutorOptions {
  /// Threads that run in lockstep for shuffles and votes.
  unsigned subgroupSize = 32;
  /// Check every load, store and atomic against the buffers of the launch.
  bool checkBounds = true;
  /// For kernels of a program, which may follow pointers to wherever the
  /// program has memory: tells at each launch what there is, in the order of
  /// places and without overlaps. The bounds of an argument that is a pointer,
  /// which is passed as a value, are those of the piece that it points into.
  std::function<std::vector<ReachableMemory>()> reachable;
  /// Count memory transactions (see ExecutionResult); 0 turns counting off.
  unsigned countSectorBytes = 0;
  /// Threads whose accesses are coalesced together (16 where the target's rule
  /// is by half subgroups); 0 for a subgroup.
  unsigned coalescedThreads = 0;
  /// Bytes of the last cache, whose traffic to DRAM is modelled where
  /// transactions are counted; 0 for none.
  uint64_t cacheBytes = 0;
  unsigned cacheLineBytes = 128;
  /// Report accesses of two threads to the same bytes, one of them a write,
  /// that no barrier orders and that are not both atomic. Slow, and needs
  /// memory of twelve times the buffers; larger launches are not checked.
  bool checkRaces = false;
  /// Prepare kernels for `CPUExecutor::profile`: every access, branch and
  /// floating-point operation is noted. Transactions are not counted then, but
  /// `countSectorBytes` is the unit of the cache model.
  bool profile = false;
  /// Report reads of workgroup memory that no thread of the block has written,
  /// and of reachable memory that nobody has.
  bool checkUninitialised = false;
  /// Note where in their buffers launches store.
  bool noteStores = false;
  /// Every byte of workgroup memory when a block starts. By default NaN as a
  /// float and -1 as an integer, so that a kernel that reads what it never
  /// wrote is noticed.
  uint8_t workgroupFill = 0xff;
  /// Follows the rounding errors of all numbers in memory where it is set; see
  /// ErrorShadow.h. It must outlive the executor.
  ErrorShadow *errors = nullptr;
  /// With `checkRaces`, and one host thread: what races may change; see
  /// RaceEffects.h. It must outlive the executor.
  RaceEffects *raceEffects = nullptr;
  /// A launch that takes longer is stopped and faulted; 0 for no limit.
  double maxSeconds = 300;
  /// A work item that takes more steps is stopped and faulted, and with it the
  /// launch; 0 for no limit. A step is one pass through the head of a loop. The
  /// limit does not depend on the machine, as that of time does.
  uint64_t maxSteps = 250'000'000;
  /// Accesses out of bounds and traps after which a launch ends, counted in the
  /// order of its blocks; 0 for no limit.
  uint64_t maxFaults = 1'000'000;
  /// Places that `ExecutionResult::faults` names, of each kind of fault.
  unsigned maxFaultPlaces = 10;
  /// Variables of another executor, which outlives this one. Those of the
  /// module with the same name and size have the same storage, with what it
  /// holds.
  std::vector<ModuleVariable> sharedVariables;
  /// What kernels print by `printf` goes to standard output; else nowhere.
  bool printsOutput = false;
  /// Compile in less time. Kernels then take several times as long to run, but
  /// hardly longer where every access is looked at: with `checkRaces`,
  /// `profile` or `countSectorBytes`.
  bool compileQuickly = false;
  /// Host threads; 0 for one per core.
  unsigned workers = 0;
  /// Called a few times a second, by the thread that launches, with the blocks
  /// that have started and their number.
  std::function<void(int64_t started, int64_t blocks)> progress;
  /// Launches end soon once it is true, as by `interruptLaunches`. It must
  /// outlive the executor.
  const std::atomic<bool> *stop = nullptr;
};

class CPUExecutor : public Executor {
public:
  /// Prepares a clone of `module`; the module is not changed.
  static llvm::Expected<std::unique_ptr<CPUExecutor>>
  create(const llvm::Module &module, const CPUExecutorOptions &options);
  /// The same of a module that nobody else needs, which saves the clone;
  /// `context` is its own.
  static llvm::Expected<std::unique_ptr<CPUExecutor>>
  create(std::unique_ptr<llvm::Module> module,
         std::unique_ptr<llvm::LLVMContext> context,
         const CPUExecutorOptions &options);

  ~CPUExecutor() override;
  llvm::Expected<ExecutionResult>
  launch(llvm::StringRef symbol, const LaunchConfig &config,
         llvm::ArrayRef<KernelArgument> arguments) override;

  /// Runs a kernel and shows its requests to the sinks of `run`. Only of
  /// executors that were made to profile.
  llvm::Expected<ExecutionResult>
  profile(llvm::StringRef symbol, const LaunchConfig &config,
          llvm::ArrayRef<KernelArgument> arguments, const ProfileRun &run);

  /// The storage of a `__device__` or `__constant__` variable, which lives as
  /// long as the executor.
  llvm::Expected<llvm::MutableArrayRef<uint8_t>> global(llvm::StringRef symbol);
  /// All of them, in the order of the module.
  std::vector<ModuleVariable> globals();

  /// Changes `CPUExecutorOptions::workgroupFill` for the launches that follow.
  void fillWorkgroupMemory(uint8_t byte);
  /// The same for `CPUExecutorOptions::maxSeconds`.
  void limitSeconds(double seconds);
  /// The same for `CPUExecutorOptions::maxSteps`.
  void limitSteps(uint64_t steps);

private:
  struct Impl;
  explicit CPUExecutor(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl;
};

} // namespace gpuopt

#endif // RUNTIME_CPUEXECUTOR_H
