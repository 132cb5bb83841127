//===- BulkCopies.cpp - copies of many bytes on their way -----------------===//

#include "runtime/CPU/BulkCopies.h"
#include "runtime/CPU/BlockRun.h"

#include "llvm/ADT/STLExtras.h"

#include <cstring>

using namespace llvm;
using namespace gpuopt;
using namespace gpuopt::runtime;

/// What addresses and sizes of these copies are multiples of.
static constexpr uint64_t unit = 16;

/// Whether `bytes` of workgroup memory at `inBlock` and others at `elsewhere`
/// can be copied; said where not.
bool BlockRun::checkBulk(ThreadContext &thread, const uint8_t *inBlock,
                         const uint8_t *elsewhere, uint64_t bytes,
                         uint32_t site) {
  auto report = [&](const char *problem) {
    launch.faults.add(
        ExecutionFault::Kind::OutOfBounds, thread, site, FaultLog::noSite, [&] {
          return nameThread(thread).print() + " copies " +
                 std::to_string(bytes) + " bytes at once, " + problem;
        });
    countFault();
    return false;
  };
  if ((bytes | uint64_t(inBlock) | uint64_t(elsewhere)) % unit)
    return report("where addresses and sizes have to be multiples of 16");
  return isInWorkgroup(inBlock, bytes) ||
         report("of which some are not in workgroup memory");
}

bool BlockRun::isReachable(ThreadContext &thread, const uint8_t *address,
                           uint64_t bytes, uint32_t site) {
  return isAccessible(address, bytes) ||
         faultAccess(thread, address, nullptr, bytes, site) == address;
}

/// The accesses count where the copy starts, and the barrier hands on from
/// there what the thread has done.
void BlockRun::loadInBulk(ThreadContext &thread, uint8_t *to,
                          const uint8_t *from, uint64_t bytes,
                          const uint8_t *barrier, uint32_t site) {
  if (!bytes || !checkBulk(thread, to, from, bytes, site + 1) ||
      !findMemoryBarrier(thread, barrier, site) ||
      !isReachable(thread, from, bytes, site))
    return;
  noteAccess(thread, from, bytes, site);
  noteAccess(thread, to, bytes, site + 1);
  change();
  bulk.loads[barrier].push_back({to, std::vector<uint8_t>(from, from + bytes)});
  if (order)
    order->arrive(thread.linearId, barrier);
  if (workgroupShadow)
    workgroupShadow->launch(to, bytes, stampOf(thread, site + 1));
}

/// Data for `address`, a barrier, gets there.
void BlockRun::landInBulk(ThreadContext &thread, uint8_t *address) {
  auto found = bulk.loads.find(address);
  if (found == bulk.loads.end())
    return;
  std::vector<BulkLoad> landing = std::move(found->second);
  bulk.loads.erase(found);
  for (const BulkLoad &load : landing) {
    std::memcpy(load.to, load.data.data(), load.data.size());
    if (workgroupShadow)
      workgroupShadow->land(load.to, load.data.size());
    countBytes(thread, address, -int64_t(load.data.size()), thread.site);
  }
}

void BlockRun::storeInBulk(ThreadContext &thread, uint8_t *to,
                           const uint8_t *from, uint64_t bytes, uint32_t site) {
  if (!bytes || !checkBulk(thread, from, to, bytes, site) ||
      !isReachable(thread, to, bytes, site + 1))
    return;
  noteAccess(thread, from, bytes, site);
  noteAccess(thread, to, bytes, site + 1);
  bulk.stores[thread.linearId].open.push_back({to, from, bytes});
}

void BlockRun::commitBulk(ThreadContext &thread) {
  BulkCopies::Stores &stores = bulk.stores[thread.linearId];
  stores.groups.push_back(std::move(stores.open));
  stores.open.clear();
}

void BlockRun::waitForBulk(ThreadContext &thread, uint64_t pending) {
  auto &groups = bulk.stores[thread.linearId].groups;
  for (; groups.size() > pending; groups.pop_front())
    for (const BulkStore &store : groups.front())
      std::memcpy(store.to, store.from, store.bytes);
  change();
}
