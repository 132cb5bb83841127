//===- StallWatch.h - blocks that wait for what nobody does -----*- C++ -*-===//
//
// A thread that looks at memory again and again may wait for another block that
// runs at the same time, or is going to. What all blocks wait for that host
// threads run does not come: each has looked in vain since the last of them
// began to wait.
//
//===----------------------------------------------------------------------===//

#ifndef RUNTIME_CPU_STALLWATCH_H
#define RUNTIME_CPU_STALLWATCH_H

#include "llvm/ADT/DenseMap.h"

#include <mutex>

namespace gpuopt::runtime {

class BlockRun;

class StallWatch {
public:
  /// Of a host thread, which runs block after block.
  void enter() {
    std::lock_guard<std::mutex> lock(mutex);
    ++running;
  }
  void leave() {
    std::lock_guard<std::mutex> lock(mutex);
    --running;
  }
  /// `block` goes on.
  void resume(const BlockRun &block) {
    std::lock_guard<std::mutex> lock(mutex);
    changes += looks.erase(&block);
  }
  /// `block` has looked in vain; true where so have all others since.
  bool areAllStalled(const BlockRun &block) {
    std::lock_guard<std::mutex> lock(mutex);
    auto [found, isNew] = looks.try_emplace(&block);
    // It has looked since the last change that it knows of.
    found->second.confirmed = isNew ? 0 : found->second.seen;
    changes += isNew;
    found->second.seen = changes;
    if (running == 1)
      return true;
    if (looks.size() < running)
      return false;
    for (const auto &look : looks)
      if (look.second.confirmed != changes)
        return false;
    return true;
  }

private:
  struct Look {
    uint64_t seen = 0, confirmed = 0;
  };

  std::mutex mutex;
  unsigned running = 0;
  /// How often a block has begun, or ceased, to wait.
  uint64_t changes = 1;
  llvm::DenseMap<const BlockRun *, Look> looks;
};

} // namespace gpuopt::runtime

#endif // RUNTIME_CPU_STALLWATCH_H
