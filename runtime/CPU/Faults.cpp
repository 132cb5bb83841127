//===- Faults.cpp - what went wrong in a launch ---------------------------===//

#include "runtime/CPU/Faults.h"

#include <algorithm>
#include <tuple>

using namespace gpuopt;
using namespace gpuopt::runtime;

static std::string printTriple(const std::array<uint32_t, 3> &id) {
  return "(" + std::to_string(id[0]) + "," + std::to_string(id[1]) + "," +
         std::to_string(id[2]) + ")";
}

std::string ThreadName::print() const {
  return "thread " + printTriple(thread) + " of block " + printTriple(block);
}

std::string gpuopt::runtime::nameBlock(int64_t number, const Dim3 &grid) {
  return "block " + printTriple({uint32_t(number % grid[0]),
                                 uint32_t(number / grid[0] % grid[1]),
                                 uint32_t(number / grid[0] / grid[1])});
}

bool ThreadName::operator<(const ThreadName &other) const {
  auto key = [](const ThreadName &name) {
    return std::make_tuple(name.block[2], name.block[1], name.block[0],
                           name.thread[2], name.thread[1], name.thread[0]);
  };
  return key(*this) < key(other);
}

ThreadName gpuopt::runtime::nameThread(const ThreadContext &thread) {
  ThreadName name;
  std::copy_n(thread.threadId, 3, name.thread.begin());
  std::copy_n(thread.block->blockId, 3, name.block.begin());
  return name;
}

static RacingAccess racingAccess(const Site &site) {
  RacingAccess access;
  access.kind = site.kind == Site::Kind::Read    ? RacingAccess::Kind::Read
                : site.kind == Site::Kind::Write ? RacingAccess::Kind::Write
                                                 : RacingAccess::Kind::Atomic;
  access.location = site.location;
  return access;
}

static RacingPair racingPair(const Site &site, const Site &other,
                             bool inWorkgroup, std::string_view array) {
  RacingPair pair{racingAccess(site), racingAccess(other), inWorkgroup,
                  std::string(array)};
  if (pair.second < pair.first)
    std::swap(pair.first, pair.second);
  return pair;
}

void FaultLog::dropBehind(int64_t last, const Dim3 &grid) {
  isPartial = true;
  std::erase_if(records, [&](const auto &entry) {
    const std::array<uint32_t, 3> &block = entry.second.thread.block;
    return block[0] + grid[0] * (block[1] + grid[1] * block[2]) > last;
  });
  count = records.size();
}

void FaultLog::report(const KernelFacts &facts, unsigned maxPlaces,
                      ExecutionResult &result) const {
  result.faultCount = count;
  std::map<ExecutionFault::Kind, unsigned> places;
  for (const auto &[key, record] : records) {
    if (++places[key.kind] > maxPlaces)
      continue;
    ExecutionFault fault;
    fault.kind = key.kind;
    fault.message = record.message;
    if (record.count > 1 && !isPartial)
      fault.message += " (and " + std::to_string(record.count - 1) +
                       " more times at this place)";
    if (key.site < facts.sites.size())
      fault.location = facts.sites[key.site].location;
    if (key.kind == ExecutionFault::Kind::DataRace)
      fault.race = racingPair(facts.sites[key.site], facts.sites[key.otherSite],
                              key.inWorkgroup, key.array);
    result.faults.push_back(std::move(fault));
  }
}
