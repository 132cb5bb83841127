//===- MemoryBarriers.cpp - barriers in workgroup memory ------------------===//

#include "runtime/CPU/MemoryBarriers.h"
#include "runtime/CPU/BlockRun.h"

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
  if (!isWritten.empty())
    std::fill_n(isWritten.begin() + (address - workgroup.get()),
                sizeof(uint64_t), 1);
}

void BlockRun::dropMemoryBarrier(ThreadContext &thread, uint8_t *address,
                                 uint32_t site) {
  if (findMemoryBarrier(thread, address, site))
    MemoryBarrier().store(address);
}

uint64_t BlockRun::arriveInMemory(ThreadContext &thread, uint8_t *address,
                                  uint32_t count, bool isLast, uint32_t site) {
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
  if (isLast)
    barrier->expected -= count;
  if (barrier->pending == 0) {
    barrier->pending = barrier->expected;
    barrier->phase = !barrier->phase;
    ++blockEpoch;
  }
  barrier->store(address);
  return before;
}

/// Lets threads go on whose phase is over; where nothing else moves, those that
/// only ask as well.
bool BlockRun::releasePhases(bool areAsking) {
  bool moved = false, isAcquired = false;
  for (ThreadContext &thread : threads) {
    if (thread.wait != Wait::Phase)
      continue;
    bool isOver = false;
    isAcquired |= areAsking && !thread.value;
    if (auto *address = reinterpret_cast<const uint8_t *>(thread.value)) {
      std::optional<MemoryBarrier> barrier =
          findMemoryBarrier(thread, address, thread.site);
      isOver = !barrier || barrier->phase != bool(thread.operand & 1);
    }
    if (!isOver && !(areAsking && thread.operand & 2))
      continue;
    thread.result = isOver;
    thread.wait = Wait::Runnable;
    moved = true;
  }
  // Whatever others have released is there now.
  blockEpoch += isAcquired;
  return moved;
}
