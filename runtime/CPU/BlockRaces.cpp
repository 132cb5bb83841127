//===- BlockRaces.cpp - what the threads of a block race for --------------===//

#include "runtime/CPU/BlockRun.h"
#include "runtime/RaceEffects.h"

using namespace llvm;
using namespace gpuopt;
using namespace gpuopt::runtime;

AccessStamp BlockRun::stampOf(const ThreadContext &thread,
                              uint32_t site) const {
  AccessStamp stamp;
  stamp.block = blockNumber + 1;
  stamp.thread = thread.linearId;
  stamp.blockEpoch = blockEpoch;
  stamp.subgroupEpoch =
      order ? order->now(thread.linearId) : thread.subgroupEpoch;
  stamp.site = site;
  stamp.isAtomic = facts.sites[site].kind == Site::Kind::Atomic;
  return stamp;
}

/// `thread … reads tile that thread … writes at …, and no barrier orders the
/// two`.
std::string BlockRun::describeRace(const ThreadContext &thread,
                                   uint32_t siteIndex,
                                   const AccessStamp &other) const {
  const Site &site = facts.sites[siteIndex];
  const Site &otherSite = facts.sites[other.site];
  const Dim3 &block = launch.config.block, &grid = launch.config.grid;
  uint32_t number = other.block - 1, linear = other.thread;
  ThreadName name;
  name.thread = {uint32_t(linear % block[0]),
                 uint32_t(linear / block[0] % block[1]),
                 uint32_t(linear / block[0] / block[1])};
  name.block = {uint32_t(number % grid[0]),
                uint32_t(number / grid[0] % grid[1]),
                uint32_t(number / grid[0] / grid[1])};
  const std::string &array = launch.objectName(site);
  std::string text = nameThread(thread).print() +
                     (site.kind == Site::Kind::Read ? " reads " : " writes ") +
                     (array.empty() ? "memory" : array) + " that ";
  if (other.isInFlight)
    text += "an asynchronous copy of ";
  text += name.print() +
          (otherSite.kind == Site::Kind::Read ? " reads" : " writes") +
          (otherSite.location.empty() ? "" : " at " + otherSite.location);
  return text + (other.isInFlight ? ", which it has not waited for"
                                  : ", and no barrier orders the two");
}

void BlockRun::checkRaces(ThreadContext &thread, const uint8_t *address,
                          uint64_t bytes, uint32_t siteIndex) {
  bool inWorkgroup = isInWorkgroup(address);
  bool isWrite = facts.sites[siteIndex].kind != Site::Kind::Read;
  AccessStamp stamp = stampOf(thread, siteIndex);
  KnownTimes known =
      order ? order->known(thread.linearId) : ArrayRef<uint32_t>();
  Conflicts conflicts =
      inWorkgroup ? workgroupShadow->access(address, bytes, isWrite, stamp,
                                            launch.races->rules, known)
                  : launch.races->access(address, bytes, isWrite, stamp, known);
  if (conflicts.empty())
    return;
  const MemoryRange *range = launch.findRange(address, bytes);
  for (const AccessStamp &other : conflicts)
    launch.faults.add(
        ExecutionFault::Kind::DataRace, thread, siteIndex, other.site,
        [&] { return describeRace(thread, siteIndex, other); }, inWorkgroup,
        range ? std::string_view(range->name) : std::string_view());
}

void BlockRun::noteOrder(ThreadContext &thread, const uint8_t *address,
                         uint32_t flags) {
  if (!order)
    return;
  if (address)
    order->access(thread.linearId, address, flags);
  else
    order->fence(thread.linearId, flags);
}

/// Changes what races leave open, before it is read.
void BlockRun::disturb(const RaceEffects &effects, const uint8_t *address,
                       uint64_t bytes, uint32_t siteIndex) {
  if (facts.sites[siteIndex].kind == Site::Kind::Write)
    return;
  MutableArrayRef<uint8_t> memory(const_cast<uint8_t *>(address), bytes);
  if (isInWorkgroup(address))
    effects.disturbWorkgroup(blockNumber, address - workgroup.get(), memory);
  else if (const MemoryRange *range = launch.findRange(address, bytes))
    effects.disturbBuffer(range - launch.ranges.data(), address - range->begin,
                          memory);
}

void BlockRun::noteUnsettled() {
  if (!workgroupShadow || !launch.races->followsEffects)
    return;
  ByteFlags unsettled = workgroupShadow->takeUnsettled();
  if (!unsettled.empty())
    launch.options.raceEffects->addWorkgroup(blockNumber, std::move(unsettled));
}
