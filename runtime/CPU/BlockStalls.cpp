//===- BlockStalls.cpp - threads that look for what nobody does -----------===//
//
// Threads look at memory in a loop, and find what they have found before. They
// do so for ever where all that they go on with is as it was, too: what each of
// them has in registers and local memory (its frame), and what the block has in
// memory. What the time of day decides on, nobody knows.
//
//===----------------------------------------------------------------------===//

#include "runtime/CPU/BlockRun.h"

#include "llvm/Support/xxhash.h"

#include <chrono>
#include <cstring>
#include <thread>

using namespace llvm;
using namespace gpuopt;
using namespace gpuopt::runtime;

/// A few looks in vain are usual.
static constexpr uint64_t usualIdleRounds = 16;

bool BlockRun::watchesStalls() const {
  return facts.looksAtOthers && !facts.readsClock && facts.notesAccesses &&
         frames && !launch.isOfProgram();
}

void BlockRun::noteUpdate(const uint8_t *address, uint64_t bytes) {
  Update update = {address, {}};
  if (bytes > sizeof update.before)
    return change();
  if (idleRounds < usualIdleRounds)
    return;
  update.bytes = bytes;
  std::memcpy(&update.before, address, bytes);
  updates.push_back(update);
}

/// Updates that store what was there change nothing.
void BlockRun::settleUpdates() {
  for (const Update &update : updates)
    if (std::memcmp(&update.before, update.address, update.bytes) != 0)
      ++changes;
  updates.clear();
}

/// What the threads go on with.
uint64_t BlockRun::hashState() const {
  uint64_t hash =
      xxh3_64bits(ArrayRef<uint8_t>(frames.get(), frameBytes * threads.size()));
  for (const ThreadContext &thread : threads) {
    uint64_t words[] = {hash, uint64_t(thread.wait), thread.site,
                        thread.participants};
    hash = xxh3_64bits(ArrayRef<uint8_t>(
        reinterpret_cast<const uint8_t *>(words), sizeof words));
  }
  return hash;
}

/// Whether the threads look in vain for ever; called each time that they have.
bool BlockRun::isStalled() {
  if (idleRounds < usualIdleRounds || !watchesStalls()) {
    resumeFromStall();
    return false;
  }
  settleUpdates();
  State now = {hashState(), changes};
  bool isSame = now == lastState;
  lastState = now;
  if (!isSame) {
    resumeFromStall();
    return false;
  }
  isWaitingForBlocks = true;
  if (launch.stalls.areAllStalled(*this))
    return true;
  std::this_thread::sleep_for(std::chrono::microseconds(100));
  return false;
}

void BlockRun::resumeFromStall() {
  if (isWaitingForBlocks)
    launch.stalls.resume(*this);
  isWaitingForBlocks = false;
}

/// Says it of the first thread that looks; false where none does.
bool BlockRun::reportStall() {
  for (const ThreadContext &thread : threads) {
    if (thread.wait != Wait::Phase || thread.value)
      continue;
    launch.faults.add(
        ExecutionFault::Kind::Stall, thread, thread.site, FaultLog::noSite,
        [&] {
          return nameThread(thread).print() +
                 " waits in a loop for a value that no thread of its block "
                 "stores" +
                 (launch.blocks() > 1 ? ", nor one of a block before it" : "");
        });
    launch.endAt(blockNumber);
    return true;
  }
  return false;
}
