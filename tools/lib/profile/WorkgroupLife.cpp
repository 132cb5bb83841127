//===- WorkgroupLife.cpp - when a block uses workgroup memory -------------===//

#include "tools/lib/profile/WorkgroupLife.h"

#include <algorithm>

using namespace gpuopt;

void WorkgroupLife::startBlock() {
  addBlock(before);
  stretchesBefore += stretches.size();
  stretches.assign(1, {});
}

void WorkgroupLife::load(uint64_t word) {
  uint64_t stored = lastStore[word];
  if (stored > stretchesBefore)
    stretches[stored - stretchesBefore - 1].endOfUse = stretches.size();
}

void WorkgroupLife::request(const MemoryRequest &request,
                            AccessSite::Kind kind) {
  Stretch &stretch = stretches.back();
  ++stretch.requests;
  if (!request.isWorkgroup)
    return;
  stretch.isUsing = true;
  constexpr uint64_t wordBytes = 4;
  for (int64_t address : request.addresses) {
    uint64_t first = static_cast<uint64_t>(address);
    uint64_t end = (first + request.bytes + wordBytes - 1) / wordBytes;
    for (uint64_t word = first / wordBytes; word < end; ++word) {
      if (word >= lastStore.size())
        lastStore.resize(word + 1);
      if (kind != AccessSite::Kind::Write)
        load(word);
      if (kind != AccessSite::Kind::Read)
        lastStore[word] = stretchesBefore + stretches.size();
    }
  }
}

void WorkgroupLife::addBlock(WorkgroupUse &sum) const {
  uint64_t endOfUse = 0;
  for (size_t number = 0; number < stretches.size(); ++number) {
    const Stretch &stretch = stretches[number];
    sum.total += stretch.requests;
    if (stretch.isUsing || number < endOfUse)
      sum.used += stretch.requests;
    endOfUse = std::max(endOfUse, stretch.endOfUse);
  }
}

WorkgroupUse WorkgroupLife::use() const {
  WorkgroupUse sum = before;
  addBlock(sum);
  return sum;
}
