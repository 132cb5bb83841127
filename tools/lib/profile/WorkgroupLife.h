//===- WorkgroupLife.h - when a block uses workgroup memory -----*- C++ -*-===//
//
// How much of a block's life its workgroup memory is in use (Yang 2012, section
// 5.3): in the stretches between barriers in which the block accesses it, and
// in those in which something lies there that is loaded later. A stretch counts
// as many requests as its subgroups make. An exchange, and another one:
//
//   loads | store s | load s | computes, stores | store s | load s | stores
//            in use   in use                      in use    in use
//
//===----------------------------------------------------------------------===//

#ifndef TOOLS_LIB_PROFILE_WORKGROUPLIFE_H
#define TOOLS_LIB_PROFILE_WORKGROUPLIFE_H

#include "runtime/Profile.h"

namespace gpuopt {

/// In requests, of all blocks.
struct WorkgroupUse {
  uint64_t used = 0;
  uint64_t total = 0;

  void add(const WorkgroupUse &other) {
    used += other.used;
    total += other.total;
  }
};

/// Follows blocks, one after the other.
class WorkgroupLife {
public:
  void startBlock();
  void request(const MemoryRequest &request, AccessSite::Kind kind);
  /// The block has come to a barrier or to its end.
  void endStretch() { stretches.emplace_back(); }
  /// Of the blocks that have started, which have all come to their end.
  WorkgroupUse use() const;

private:
  struct Stretch {
    uint64_t requests = 0;
    bool isUsing = false;
    /// The number behind that of the last one that loads what was stored here.
    uint64_t endOfUse = 0;
  };
  void load(uint64_t word);
  void addBlock(WorkgroupUse &sum) const;

  WorkgroupUse before;
  /// Of the current block.
  std::vector<Stretch> stretches = {{}};
  /// By word of four bytes: the number of the stretch that stored there last,
  /// counted over all blocks from 1; 0 where none has.
  std::vector<uint64_t> lastStore;
  /// How many stretches there were in the blocks before.
  uint64_t stretchesBefore = 0;
};

} // namespace gpuopt

#endif // TOOLS_LIB_PROFILE_WORKGROUPLIFE_H
