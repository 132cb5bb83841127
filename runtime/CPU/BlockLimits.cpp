//===- BlockLimits.cpp - where a block has to end -------------------------===//

#include "runtime/CPU/BlockRun.h"
#include "runtime/CPU/DeviceOutput.h"

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
      report(launch.stopKind(), launch.whenStopped());
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
  launch.faults.add(
      launch.stopKind(), *waiting, waiting->site, FaultLog::noSite, [&] {
        bool looks = waiting->wait == Wait::Phase && !waiting->value;
        return nameThread(*waiting).print() + " was still " +
               (looks ? "in a loop " : "waiting for others ") +
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

/// As CUDA prints it.
static std::string describe(const FailedAssertion &assertion,
                            const ThreadName &name) {
  auto triple = [](const std::array<uint32_t, 3> &id) {
    return "[" + std::to_string(id[0]) + "," + std::to_string(id[1]) + "," +
           std::to_string(id[2]) + "]";
  };
  return std::string(assertion.file) + ":" + std::to_string(assertion.line) +
         ": " + assertion.function + ": block: " + triple(name.block) +
         ", thread: " + triple(name.thread) + " Assertion `" + assertion.text +
         "` failed.";
}

void BlockRun::reportAssertion(ThreadContext &thread, uint32_t site,
                               const FailedAssertion &assertion) {
  std::string text = describe(assertion, nameThread(thread));
  launch.faults.add(ExecutionFault::Kind::Assertion, thread, site,
                    FaultLog::noSite, [&] { return text; });
  if (launch.options.printsOutput)
    printError(text);
  countFault();
  if (launch.isOfProgram())
    launch.endAt(blockNumber);
}

/// An argument may point into the middle of its memory, and a program's kernel
/// may come from there to what lies before.
std::optional<ExecutionFault::Kind>
BlockRun::judgeAccess(const uint8_t *address, const uint8_t *base,
                      uint64_t bytes, const Site &site) const {
  if (!launch.isOfProgram())
    return ExecutionFault::Kind::OutOfBounds;
  if (uint64_t(address) % site.alignment != 0)
    return ExecutionFault::Kind::Misaligned;
  MemoryObject::Kind object = facts.objects[site.object].kind;
  const MemoryRange *range = launch.findRange(address, bytes);
  if (range && object == MemoryObject::Kind::Parameter &&
      range == launch.findRange(base, 1))
    return std::nullopt;
  // Beside a local variable is the host's stack.
  bool isThere =
      object != MemoryObject::Kind::Private &&
      (range || isInWorkgroup(address, bytes) ||
       launch.isBacked(address, bytes, site.kind == Site::Kind::Read));
  return isThere ? ExecutionFault::Kind::Stray
                 : ExecutionFault::Kind::OutOfBounds;
}

/// On a device others of the module are there, or nothing in particular.
bool BlockRun::readsBesideVariable(const uint8_t *address, uint64_t bytes,
                                   const Site &site) const {
  return launch.isOfProgram() && facts.readsVariable(site) &&
         bytes == site.bytes && launch.isBesideVariable(address, bytes);
}

uint8_t *BlockRun::checkAccess(ThreadContext &thread, uint8_t *address,
                               BufferBounds object, uint32_t siteIndex) {
  const Site &site = facts.sites[siteIndex];
  uint64_t offset = address - object.begin;
  // The address of a known object may be null: that of an argument.
  bool isKnown = facts.objects[site.object].kind != MemoryObject::Kind::Unknown;
  bool isInside = isKnown ? site.bytes <= object.bytes &&
                                offset <= object.bytes - site.bytes &&
                                offset % site.alignment == 0
                          : isAccessible(address, site.bytes);
  if (uint8_t *local = isKnown || isInside
                           ? nullptr
                           : findNarrow(thread, address, site.bytes))
    address = local;
  else if (!isInside)
    address = static_cast<uint8_t *>(
        faultAccess(thread, address, object.begin, site.bytes, siteIndex));
  noteAccess(thread, address, site.bytes, siteIndex);
  return address;
}

void *BlockRun::faultAccess(ThreadContext &thread, const uint8_t *address,
                            const uint8_t *base, uint64_t bytes,
                            uint32_t site) {
  std::optional<ExecutionFault::Kind> kind =
      judgeAccess(address, base, bytes, facts.sites[site]);
  bool isBeside = kind == ExecutionFault::Kind::OutOfBounds &&
                  readsBesideVariable(address, bytes, facts.sites[site]);
  if (isBeside)
    kind = ExecutionFault::Kind::Stray;
  if (kind)
    launch.faults.add(*kind, thread, site, FaultLog::noSite, [&] {
      return describeAccess(thread, address, base, bytes, site);
    });
  if (!kind || (kind == ExecutionFault::Kind::Stray && !isBeside))
    return const_cast<uint8_t *>(address);
  std::memset(sink.get(), 0, sinkBytes);
  // What is there on this machine is not the program's.
  if (isBeside)
    return sink.get();
  countFault();
  if (!launch.isOfProgram())
    return sink.get();
  // As on a device, a program's kernel does nothing more.
  launch.endAt(blockNumber);
  return facts.readsVariable(facts.sites[site]) ? nullptr : sink.get();
}
