//===- Faults.cpp - what went wrong in a launch ---------------------------===//

#include "runtime/CPU/Faults.h"

#include <algorithm>
#include <tuple>

using namespace gpuopt;
using namespace gpuopt::runtime;

/// Places that a report names, of each kind of fault.
static constexpr size_t maxPlaces = 10;

static std::string printTriple(const std::array<uint32_t, 3> &id) {
  return "(" + std::to_string(id[0]) + "," + std::to_string(id[1]) + "," +
         std::to_string(id[2]) + ")";
}

std::string ThreadName::print() const {
  return "thread " + printTriple(thread) + " of block " + printTriple(block);
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

void FaultLog::report(const KernelFacts &facts, ExecutionResult &result) const {
  result.faultCount = count;
  std::map<ExecutionFault::Kind, size_t> places;
  for (const auto &[key, record] : records) {
    if (++places[key.kind] > maxPlaces)
      continue;
    ExecutionFault fault;
    fault.kind = key.kind;
    fault.message = record.message;
    if (record.count > 1)
      fault.message += " (and " + std::to_string(record.count - 1) +
                       " more times at this place)";
    if (key.site < facts.sites.size())
      fault.location = facts.sites[key.site].location;
    result.faults.push_back(std::move(fault));
  }
}
