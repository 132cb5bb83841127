//===- MemoryBarriers.cpp - barriers in workgroup memory ------------------===//

#include "runtime/CPU/MemoryBarriers.h"
#include "runtime/CPU/BlockRun.h"

#include <cstdlib>
#include <cstring>

using namespace llvm;
using namespace gpuopt;
using namespace gpuopt::runtime;

static constexpr unsigned markBit = MemoryBarrier::phaseBit + 1;
static constexpr uint64_t mark = 0x2d9b31;

MemoryBarrier MemoryBarrier::load(const uint8_t *address) {
  uint64_t word;
  std::memcpy(&word, address, sizeof word);
  MemoryBarrier barrier;
  barrier.pending = word & mostThreads;
  barrier.expected = word >> 20 & mostThreads;
  barrier.phase = word >> phaseBit & 1;
  barrier.isValid = word >> markBit == mark;
  return barrier;
}

uint64_t MemoryBarrier::encode() const {
  return (isValid ? mark : 0) << markBit | uint64_t(phase) << phaseBit |
         uint64_t(expected) << 20 | pending;
}

void MemoryBarrier::store(uint8_t *address) const {
  uint64_t word = encode();
  std::memcpy(address, &word, sizeof word);
}

void BlockRun::reportMemoryBarrier(ThreadContext &thread, uint32_t site,
                                   StringRef problem) {
  launch.faults.add(ExecutionFault::Kind::Trap, thread, site, FaultLog::noSite,
                    [&] {
                      return nameThread(thread).print() +
                             " uses a barrier in memory " + problem.str();
                    });
}

/// Nothing, and said, where there is none at `address`.
std::optional<MemoryBarrier> BlockRun::findMemoryBarrier(ThreadContext &thread,
                                                         const uint8_t *address,
                                                         uint32_t site) {
  if (!isInWorkgroup(address, sizeof(uint64_t)) ||
      uint64_t(address) % alignof(uint64_t)) {
    reportMemoryBarrier(thread, site, "that is not in workgroup memory");
    return std::nullopt;
  }
  MemoryBarrier barrier = MemoryBarrier::load(address);
  if (barrier.isValid)
    return barrier;
  reportMemoryBarrier(thread, site, "that nothing has set up");
  return std::nullopt;
}

void BlockRun::setMemoryBarrier(ThreadContext &thread, uint8_t *address,
                                uint32_t count, uint32_t site) {
  if (!isInWorkgroup(address, sizeof(uint64_t)) ||
      uint64_t(address) % alignof(uint64_t))
    return reportMemoryBarrier(thread, site, "that is not in workgroup memory");
  if (count == 0 || count > MemoryBarrier::mostThreads)
    return reportMemoryBarrier(thread, site,
                               "for no possible number of threads");
  MemoryBarrier barrier;
  barrier.pending = barrier.expected = count;
  barrier.isValid = true;
  barrier.store(address);
  bulk.expected.erase(address);
  change();
  if (!isWritten.empty())
    std::fill_n(isWritten.begin() + (address - workgroup.get()),
                sizeof(uint64_t), 1);
}

void BlockRun::dropMemoryBarrier(ThreadContext &thread, uint8_t *address,
                                 uint32_t site) {
  if (findMemoryBarrier(thread, address, site))
    MemoryBarrier().store(address);
  change();
}

uint64_t BlockRun::arriveInMemory(ThreadContext &thread, uint8_t *address,
                                  uint32_t count, uint32_t flags,
                                  uint32_t site) {
  std::optional<MemoryBarrier> barrier =
      findMemoryBarrier(thread, address, site);
  if (!barrier)
    return 0;
  uint64_t before = barrier->encode();
  if (count == 0 || count > barrier->pending) {
    reportMemoryBarrier(thread, site,
                        "at which more threads arrive than it is for");
    return before;
  }
  barrier->pending -= count;
  if (flags & Arrival::isLast)
    barrier->expected -= count;
  if (order && !(flags & Arrival::isRelaxed))
    order->arrive(thread.linearId, address);
  endPhaseIfDue(thread, *barrier, address, flags, site);
  barrier->store(address);
  change();
  return before;
}

/// A phase is over where all threads have arrived, and all bytes.
void BlockRun::endPhaseIfDue(ThreadContext &thread, MemoryBarrier &barrier,
                             const uint8_t *address, uint32_t flags,
                             uint32_t site) {
  if (barrier.pending || bulk.expected.lookup(address))
    return;
  if (flags & Arrival::mayNotComplete)
    reportMemoryBarrier(thread, site,
                        "whose phase ends by an arrival of '.noComplete'");
  barrier.pending = barrier.expected;
  barrier.phase = !barrier.phase;
  if (order)
    order->endPhase(address);
}

void BlockRun::countBytes(ThreadContext &thread, uint8_t *address,
                          int64_t bytes, uint32_t site) {
  std::optional<MemoryBarrier> barrier =
      findMemoryBarrier(thread, address, site);
  if (!barrier)
    return;
  int64_t &expected = bulk.expected[address];
  expected += bytes;
  if (std::abs(expected) > int64_t(MemoryBarrier::mostThreads))
    reportMemoryBarrier(thread, site, "that cannot count so many bytes");
  // Those that are there end a phase; who expects some does not.
  if (bytes < 0)
    endPhaseIfDue(thread, *barrier, address, 0, site);
  barrier->store(address);
  change();
}

//===----------------------------------------------------------------------===//
// Threads that ask
//===----------------------------------------------------------------------===//

/// Whether what `thread` waits for has come; where there is no barrier, that is
/// said, and it has.
bool BlockRun::isOver(ThreadContext &thread) {
  auto *address = reinterpret_cast<uint8_t *>(thread.value);
  if (!address)
    return false;
  landInBulk(thread, address);
  std::optional<MemoryBarrier> barrier =
      findMemoryBarrier(thread, address, thread.site);
  bool isOver = !barrier || barrier->phase != bool(thread.operand & 1);
  if (isOver && order && !(thread.operand & PhaseWait::isRelaxed))
    order->pass(thread.linearId, address);
  return isOver;
}

/// Lets threads go on whose phase is over.
bool BlockRun::releasePhases() {
  bool moved = false;
  for (ThreadContext &thread : threads) {
    if (thread.wait != Wait::Phase || !isOver(thread))
      continue;
    thread.result = true;
    thread.wait = Wait::Runnable;
    moved = true;
  }
  return moved;
}

/// Whether `thread` asks at another place than before, or finds something else
/// there.
bool BlockRun::hasNewAnswer(ThreadContext &thread) {
  Question now;
  now.site = thread.site;
  uint64_t bytes = thread.operand >> PhaseWait::bytesBit;
  auto *place = reinterpret_cast<const uint8_t *>(thread.mask);
  if (auto *barrier = reinterpret_cast<const uint8_t *>(thread.value)) {
    place = barrier;
    bytes = sizeof(uint64_t);
  }
  if (bytes <= sizeof now.answer && isAccessible(place, bytes))
    std::memcpy(&now.answer, place, bytes);
  Question &before = questions[thread.linearId];
  bool isNew = before.site != now.site || before.answer != now.answer;
  before = now;
  return isNew;
}

/// Nothing else moves: threads that look at memory do so once more, and the
/// time of those is up that wait for the end of a phase. Not where that has
/// been in vain for long: who looks at memory goes on without the others then,
/// and comes to the end of its steps where no more than that is wrong.
bool BlockRun::askAgain() {
  if (isStalled())
    return false;
  bool areMany = idleRounds >= mostIdleRounds;
  bool moved = false, areNew = false;
  for (ThreadContext &thread : threads) {
    if (thread.wait != Wait::Phase || (areMany && thread.value))
      continue;
    areNew |= hasNewAnswer(thread);
    thread.result = false;
    thread.wait = Wait::Runnable;
    moved = true;
  }
  if (areMany)
    context.letsOthersGo = 0;
  else
    idleRounds = areNew ? 0 : idleRounds + 1;
  return moved;
}
