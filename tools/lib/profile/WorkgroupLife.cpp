//===- WorkgroupLife.cpp - when a block uses workgroup memory -------------===//

#include "tools/lib/profile/WorkgroupLife.h"

#include <algorithm>

using namespace gpuopt;

void WorkgroupLife::startBlock() {
  addBlock(before);
  stretchesBefore += stretches.size();
  stretches.assign(1, {});
}

void WorkgroupLife::load(uint64_t place) {
  uint64_t stored = lastStore[place];
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
  // Elements are seldom accessed in parts of less than a word.
  constexpr uint64_t wordBytes = 4;
  uint64_t step = std::clamp<uint64_t>(request.bytes, 1, wordBytes);
  for (int64_t address : request.addresses)
    for (uint64_t offset = 0; offset < request.bytes; offset += step) {
      uint64_t place = static_cast<uint64_t>(address) + offset;
      if (place >= lastStore.size())
        lastStore.resize(place + 1);
      if (kind != AccessSite::Kind::Write)
        load(place);
      if (kind != AccessSite::Kind::Read)
        lastStore[place] = stretchesBefore + stretches.size();
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
