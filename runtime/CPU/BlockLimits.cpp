//===- BlockLimits.cpp - where a block has to end -------------------------===//

#include "runtime/CPU/BlockRun.h"

#include "llvm/ADT/STLExtras.h"

#include <cstring>

using namespace llvm;
using namespace gpuopt;
using namespace gpuopt::runtime;

uint32_t BlockRun::giveSteps(ThreadContext &thread, uint32_t site) {
  auto report = [&](ExecutionFault::Kind kind, const std::string &when) {
    launch.faults.add(kind, thread, site, FaultLog::noSite, [&] {
      return nameThread(thread).print() + " was still in a loop " + when;
    });
  };
  if (launch.stopped()) {
    // A profile that stops for another reason says which.
    if (!launch.hasDroppedCounts() || !launch.profile)
      report(ExecutionFault::Kind::Timeout, launch.whenStopped());
    return 0;
  }
  if (stopped())
    return 0;
  uint64_t more = launch.stepsBehind(thread.steps);
  thread.steps += more;
  if (!more) {
    report(ExecutionFault::Kind::StepLimit,
           "after " + std::to_string(thread.steps) + " steps");
    launch.endAt(blockNumber);
  }
  return more;
}

void BlockRun::reportWaiting() {
  if (!launch.stopped() || (launch.hasDroppedCounts() && launch.profile))
    return;
  auto waiting = find_if(threads, [](const auto &thread) {
    return thread.wait != Wait::Done && thread.wait != Wait::Runnable;
  });
  if (waiting == threads.end())
    return;
  launch.faults.add(ExecutionFault::Kind::Timeout, *waiting, waiting->site,
                    FaultLog::noSite, [&] {
                      return nameThread(*waiting).print() +
                             " was still waiting for others " +
                             launch.whenStopped();
                    });
}

//===----------------------------------------------------------------------===//
// Faults
//===----------------------------------------------------------------------===//

void BlockRun::countFault() {
  if (++faultCount >= launch.options.maxFaults && launch.options.maxFaults)
    launch.endAt(blockNumber);
}

void BlockRun::reportTrap(ThreadContext &thread, uint32_t site) {
  launch.faults.add(
      ExecutionFault::Kind::Trap, thread, site, FaultLog::noSite, [&] {
        return nameThread(thread).print() + " " + facts.sites[site].text;
      });
  countFault();
}

void *BlockRun::faultAccess(ThreadContext &thread, const uint8_t *address,
                            const uint8_t *base, uint64_t bytes,
                            uint32_t site) {
  launch.faults.add(
      ExecutionFault::Kind::OutOfBounds, thread, site, FaultLog::noSite,
      [&] { return describeAccess(thread, address, base, bytes, site); });
  countFault();
  std::memset(sink.get(), 0, sinkBytes);
  return sink.get();
}
