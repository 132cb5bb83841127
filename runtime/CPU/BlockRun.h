//===- BlockRun.h - one block while it runs ---------------------*- C++ -*-===//
//
// Runs the threads of a block on one host thread. A kernel that never waits
// runs thread after thread. Otherwise all threads run up to where they wait;
// then whichever wait is complete is resolved and its threads go on:
//
//   1. operations of a subgroup, as soon as all lanes that take part are there
//      (SubgroupOperations.h);
//   2. the barrier of the block, when all threads have come, and those in
//      memory whose phase is over (MemoryBarriers.h);
//   3. threads that ask for what others do (a value in memory, the end of a
//      phase) ask again;
//   4. when nothing moves, or they have asked for long, the kernel is wrong: it
//      is told how, and goes on where that makes sense.
//
//===----------------------------------------------------------------------===//

#ifndef RUNTIME_CPU_BLOCKRUN_H
#define RUNTIME_CPU_BLOCKRUN_H

#include "runtime/CPU/AlignedMemory.h"
#include "runtime/CPU/AsyncCopies.h"
#include "runtime/CPU/BulkCopies.h"
#include "runtime/CPU/LaunchRun.h"
#include "runtime/CPU/MemoryBarriers.h"
#include "runtime/CPU/RequestLog.h"
#include "runtime/CPU/SectorCounter.h"
#include "runtime/CPU/ThreadOrder.h"

#include <utility>

#include <memory>

namespace gpuopt::runtime {

/// What `assert` hands on.
struct FailedAssertion {
  const char *text;
  const char *file;
  uint32_t line;
  const char *function;
};

class BlockRun {
public:
  /// Of each coroutine's frame.
  static constexpr uint64_t frameAlignment = 64;

  explicit BlockRun(LaunchRun &launch);
  BlockRun(const BlockRun &) = delete;

  /// Makes this block `number` of the grid, with no thread started.
  void start(int64_t number);
  /// Runs until all threads are done (true) or wait for the grid (false).
  bool run();
  /// Lets the threads that wait for the grid go on. It is a fault that others
  /// never come to them: of this block, or where `othersLeft` of other blocks.
  void passGridBarrier(bool othersLeft);
  /// Tells which of its workgroup memory races have left open, once it is done.
  void noteUnsettled();
  /// Memory that the block takes while it is alive, once it has run.
  uint64_t bytes() const;
  /// Hands the counts to the launch.
  void finish();
  /// Of a launch that is stopped: says where a thread waits.
  void reportWaiting();
  /// Tells the launch what went wrong in the block, which has ended.
  void handOverFaults() { launch.addFaults(blockNumber, faultCount); }
  /// The sectors that were touched since the last call, where the launch models
  /// a cache.
  SectorTrace takeTrace() { return std::exchange(trace, {}); }

  // What compiled code asks for.
  void *allocateFrame(ThreadContext &thread, uint64_t bytes);
  /// Reports a bad access and gives memory to use instead; for a program's
  /// kernel the address where it may use it all the same. Otherwise that ends:
  /// a read of a variable gives null then, and zeros beside it.
  void *faultAccess(ThreadContext &thread, const uint8_t *address,
                    const uint8_t *base, uint64_t bytes, uint32_t site);
  /// Looks up an address whose object is not known when compiling, and leaves
  /// in `last` where the memory is that it was found in.
  void *findAddress(ThreadContext &thread, uint8_t *address, uint64_t bytes,
                    uint32_t site, BufferBounds &last);
  /// Checks and notes the access of a site, in `object`, or anywhere where that
  /// begins nowhere; returns the address to use.
  uint8_t *checkAccess(ThreadContext &thread, uint8_t *address,
                       BufferBounds object, uint32_t site);
  bool isAccessible(const uint8_t *address, uint64_t bytes) const;
  uint8_t *findNarrow(const ThreadContext &thread, const uint8_t *address,
                      uint64_t bytes) const;
  /// Where an address leads; to global memory where nobody knows.
  MemorySpace spaceOf(const uint8_t *address) const;
  void noteAccess(ThreadContext &thread, const uint8_t *address, uint64_t bytes,
                  uint32_t site);

  /// How many more steps `thread` may take before it asks again; 0 where it has
  /// to leave the kernel.
  uint32_t giveSteps(ThreadContext &thread, uint32_t site);
  void reportTrap(ThreadContext &thread, uint32_t site);
  void reportUnset(ThreadContext &thread, uint32_t site);
  /// What a register of PTX holds that nothing has set.
  uint64_t unsetWord() const;
  void reportAssertion(ThreadContext &thread, uint32_t site,
                       const FailedAssertion &assertion);

  // Barriers in memory (MemoryBarriers.h).
  void setMemoryBarrier(ThreadContext &thread, uint8_t *address, uint32_t count,
                        uint32_t site);
  void dropMemoryBarrier(ThreadContext &thread, uint8_t *address,
                         uint32_t site);
  /// `count` threads arrive, with the flags of Arrival.
  uint64_t arriveInMemory(ThreadContext &thread, uint8_t *address,
                          uint32_t count, uint32_t flags, uint32_t site);
  /// More bytes, or fewer, are expected in the phase.
  void countBytes(ThreadContext &thread, uint8_t *address, int64_t bytes,
                  uint32_t site);
  /// `thread` comes to a barrier of the block (Wait::Barrier) that it does not
  /// wait at.
  void arriveAtBarrier(ThreadContext &thread, uint64_t barrier);
  /// An atomic access, or a fence where there is no address, with the flags of
  /// OrderedAccess.
  void noteOrder(ThreadContext &thread, const uint8_t *address, uint32_t flags);

  void noteBranch(ThreadContext &thread, bool isTaken, uint32_t site) {
    if (branches)
      branches->note(thread.linearId, site, isTaken);
  }

  /// Starts a copy to `copy.to`, which has been checked.
  void issueAsyncCopy(ThreadContext &thread, const AsyncCopy &copy);
  /// Lets the data of all but the newest `pending` groups of copies arrive.
  void waitForAsyncCopies(ThreadContext &thread, uint64_t pending);

  // Copies of many bytes (BulkCopies.h): reads are at `site`, writes at the one
  // behind it.
  void loadInBulk(ThreadContext &thread, uint8_t *to, const uint8_t *from,
                  uint64_t bytes, const uint8_t *barrier, uint32_t site);
  void storeInBulk(ThreadContext &thread, uint8_t *to, const uint8_t *from,
                   uint64_t bytes, uint32_t site);
  void commitBulk(ThreadContext &thread);
  void waitForBulk(ThreadContext &thread, uint64_t pending);

  LaunchRun &launch;
  BlockContext context = {};
  /// By thread.
  std::vector<AsyncCopies> asyncCopies;

private:
  /// What a thread found when it last asked.
  struct Question {
    uint32_t site = ~0u;
    uint64_t answer = 0;
  };
  /// Threads have moved that have not only asked again.
  void progress() { idleRounds = 0; }
  /// Memory, or what else threads share, is no longer what it was.
  void change() {
    ++changes;
    progress();
  }
  // Of threads that look at memory in vain (BlockStalls.cpp).
  struct Update {
    const uint8_t *address;
    std::array<uint8_t, 16> before;
    uint64_t bytes = 0;
  };
  struct State {
    uint64_t hash = 0, changes = 0;
    bool operator==(const State &) const = default;
  };
  bool watchesStalls() const;
  void noteUpdate(const uint8_t *address, uint64_t bytes);
  void settleUpdates();
  uint64_t hashState() const;
  bool isStalled();
  void resumeFromStall();
  bool reportStall();
  void runPlain();
  void runThread(ThreadContext &thread);
  void checkMask(ThreadContext &thread);
  void checkProducts(llvm::MutableArrayRef<ThreadContext> lanes);
  bool runSubgroups();
  llvm::SmallVector<ThreadContext *, 0> findFullBarrier(size_t live);
  void meetAtBarrier(llvm::ArrayRef<ThreadContext *> waiting);
  void orderBlock();
  bool releaseBarrier();
  bool forceSubgroup();
  bool waitsForGrid() const;
  std::optional<MemoryBarrier> findMemoryBarrier(ThreadContext &thread,
                                                 const uint8_t *address,
                                                 uint32_t site);
  void reportMemoryBarrier(ThreadContext &thread, uint32_t site,
                           llvm::StringRef problem);
  void endPhaseIfDue(ThreadContext &thread, MemoryBarrier &barrier,
                     const uint8_t *address, uint32_t flags, uint32_t site);
  bool checkBulk(ThreadContext &thread, const uint8_t *inBlock,
                 const uint8_t *elsewhere, uint64_t bytes, uint32_t site);
  bool isReachable(ThreadContext &thread, const uint8_t *address,
                   uint64_t bytes, uint32_t site);
  void landInBulk(ThreadContext &thread, uint8_t *address);
  bool releasePhases();
  bool askAgain();
  bool isOver(ThreadContext &thread);
  bool hasNewAnswer(ThreadContext &thread);
  /// Lanes have met, or are done: counts what was noted.
  void flushCounts();
  /// Reports a read of workgroup memory that nobody wrote, and notes writes.
  void checkWritten(ThreadContext &thread, uint64_t offset, uint64_t bytes,
                    uint32_t site);
  void checkReachable(ThreadContext &thread, const uint8_t *address,
                      uint64_t bytes, uint32_t site);
  void prepareProfile();
  /// Ends the launch here where it has too many.
  void countFault();
  void traceRequest(const MemoryRequest &request);
  void limitNotes();
  void reportStuck();
  bool stopped() const {
    return launch.stopped() || blockNumber >= launch.endBlock();
  }
  void reportBarrierFaults(llvm::ArrayRef<ThreadContext *> waiting);
  llvm::MutableArrayRef<ThreadContext> subgroup(size_t first);
  unsigned coalescedThreads() const {
    const CPUExecutorOptions &options = launch.options;
    return options.coalescedThreads ? options.coalescedThreads
                                    : options.subgroupSize;
  }
  bool isInWorkgroup(const uint8_t *address, uint64_t bytes = 1) const {
    uint64_t offset = uint64_t(address) - uint64_t(workgroup.get());
    return bytes <= workgroupBytes && offset <= workgroupBytes - bytes;
  }
  void checkRaces(ThreadContext &thread, const uint8_t *address, uint64_t bytes,
                  uint32_t siteIndex);
  void disturb(const RaceEffects &effects, const uint8_t *address,
               uint64_t bytes, uint32_t siteIndex);
  AccessStamp stampOf(const ThreadContext &thread, uint32_t site) const;
  std::string describeRace(const ThreadContext &thread, uint32_t site,
                           const AccessStamp &other) const;
  /// How bad an access of a program's kernel is that left its object, or may
  /// have; nothing where it is right.
  std::optional<ExecutionFault::Kind> judgeAccess(const uint8_t *address,
                                                  const uint8_t *base,
                                                  uint64_t bytes,
                                                  const Site &site) const;
  bool readsBesideVariable(const uint8_t *address, uint64_t bytes,
                           const Site &site) const;
  std::string describeAccess(const ThreadContext &thread,
                             const uint8_t *address, const uint8_t *base,
                             uint64_t bytes, uint32_t site) const;

  const KernelFacts &facts;
  std::vector<ThreadContext> threads;
  /// Workgroup memory of this block.
  WorkgroupMemory workgroup;
  uint64_t workgroupBytes;
  /// Coroutine frames, all of one size.
  AlignedBytes frames;
  uint64_t frameBytes = 0;
  /// Where the host's stack was when the kernel was entered.
  const uint8_t *stackTop = nullptr;
  /// What bad accesses read and write.
  static constexpr uint64_t sinkBytes = 4096;
  std::unique_ptr<uint8_t[]> sink;
  int64_t blockNumber = 0;
  uint32_t blockEpoch = 0;
  std::unique_ptr<ShadowMemory> workgroupShadow;
  /// Where it matters for races.
  std::unique_ptr<ThreadOrder> order;
  /// Threads that have come to a barrier of the block and do not wait, by what
  /// Wait::Barrier has as its operand.
  llvm::DenseMap<uint64_t, llvm::SmallVector<uint32_t, 0>> arrivals;
  BulkCopies bulk;
  /// By thread.
  std::vector<Question> questions;
  /// How often all that moved has been threads that asked in vain.
  uint64_t idleRounds = 0;
  static constexpr uint64_t mostIdleRounds = 1 << 17;
  uint64_t changes = 0;
  State lastState;
  /// Since the threads last looked.
  std::vector<Update> updates;
  bool isWaitingForBlocks = false;
  /// For each byte of workgroup memory; empty where it does not matter.
  std::vector<uint8_t> isWritten;
  std::unique_ptr<SectorCounter> counter;
  // Of launches that are profiled.
  std::unique_ptr<RequestLog> requests;
  std::unique_ptr<BranchLog> branches;
  RequestSink *requestSink = nullptr;
  LaunchCounts profile;
  SectorTrace trace;
  /// Since the threads last met.
  uint64_t notedAccesses = 0;
  /// Accesses out of bounds and traps of the block.
  uint64_t faultCount = 0;
};

} // namespace gpuopt::runtime

#endif // RUNTIME_CPU_BLOCKRUN_H
