//===- RequestLog.cpp - accesses of a block, lane by lane -----------------===//

#include "runtime/CPU/RequestLog.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace gpuopt;
using namespace gpuopt::runtime;

RequestLog::RequestLog(size_t siteCount, size_t threads, unsigned size)
    : sites(siteCount), subgroupSize(size),
      entries(siteCount * divideCeil(threads, size)) {}

void RequestLog::open(Entry &entry, uint32_t site, uint32_t subgroup) {
  entry.site = site;
  entry.subgroup = subgroup;
  entry.lanes.resize(subgroupSize);
}

bool RequestLog::handOut(const Entry &entry, uint64_t turn,
                         function_ref<void(const MemoryRequest &)> see) {
  lanes.clear();
  addresses.clear();
  for (auto [lane, touched] : enumerate(entry.lanes))
    if (turn < touched.size()) {
      lanes.push_back(lane);
      addresses.push_back(touched[turn]);
    }
  if (lanes.empty())
    return false;
  MemoryRequest request;
  request.site = entry.site;
  request.isWorkgroup = entry.isWorkgroup;
  request.subgroup = entry.subgroup;
  request.turn = turn;
  request.lanes = lanes;
  request.addresses = addresses;
  request.bytes = entry.bytes;
  see(request);
  return true;
}

void RequestLog::flush(function_ref<void(const MemoryRequest &)> see) {
  // By subgroup, then by place in the kernel.
  std::vector<Entry *> pending;
  for (Entry &entry : entries)
    if (any_of(entry.lanes, [](const auto &lane) { return !lane.empty(); }))
      pending.push_back(&entry);
  std::vector<Entry *> noted = pending;
  for (uint64_t turn = 0; !pending.empty(); ++turn)
    erase_if(pending,
             [&](Entry *entry) { return !handOut(*entry, turn, see); });
  for (Entry *entry : noted)
    for (auto &lane : entry->lanes)
      lane.clear();
}

/// 64 executions at a time: those in which a lane took the branch, and those in
/// which a lane did not. Where both are, the lanes diverged.
BranchLog::Count BranchLog::countSubgroup(ArrayRef<Ways> ways) const {
  Count count;
  for (const Ways &lane : ways)
    count.executions = std::max(count.executions, lane.count);
  for (uint64_t word = 0; word * 64 < count.executions; ++word) {
    uint64_t someTook = 0, someDidNot = 0;
    for (const Ways &lane : ways) {
      if (word >= lane.taken.size())
        continue;
      uint64_t bits = std::min<uint64_t>(64, lane.count - word * 64);
      uint64_t executed = bits == 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1;
      someTook |= lane.taken[word];
      someDidNot |= executed & ~lane.taken[word];
    }
    count.divergent += popcount(someTook & someDidNot);
  }
  return count;
}

void BranchLog::flush() {
  for (auto [index, entry] : enumerate(lanes)) {
    if (entry.empty())
      continue;
    Count add = countSubgroup(entry);
    Count &count = counts[index % sites];
    count.executions += add.executions;
    count.divergent += add.divergent;
    for (Ways &lane : entry) {
      lane.taken.clear();
      lane.count = 0;
    }
  }
}
