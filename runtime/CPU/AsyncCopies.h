//===- AsyncCopies.h - copies that are on their way -------------*- C++ -*-===//
//
// NVIDIA's cp.async copies from global to workgroup memory behind the thread's
// back. A thread makes groups of its copies (commit) and waits until all but
// the newest N groups are done. Nobody may look at the target before: here the
// data gets there at the wait and not earlier, and copies that are never waited
// for never arrive.
//
//   issue a, issue b, commit, issue c, commit, issue d
//   wait for all but 1 group     a and b arrive
//   wait for all but 0 groups    c arrives; d belongs to no group yet
//
//===----------------------------------------------------------------------===//

#ifndef RUNTIME_CPU_ASYNCCOPIES_H
#define RUNTIME_CPU_ASYNCCOPIES_H

#include "llvm/ADT/SmallVector.h"

#include <array>
#include <cstdint>
#include <deque>

namespace gpuopt::runtime {

/// Data on its way.
struct AsyncCopy {
  uint8_t *to = nullptr;
  uint32_t bytes = 0;
  /// Index into KernelFacts::sites of the write.
  uint32_t site = 0;
  std::array<uint8_t, 16> data = {};
};

/// The copies of one thread.
class AsyncCopies {
public:
  void issue(const AsyncCopy &copy) { open.push_back(copy); }
  /// Makes a group, empty maybe, of the copies since the last one.
  void commit() {
    groups.push_back(std::move(open));
    open.clear();
  }
  /// Removes the oldest groups until `pending` are left; returns their copies,
  /// the oldest first.
  llvm::SmallVector<AsyncCopy> wait(uint64_t pending) {
    llvm::SmallVector<AsyncCopy> done;
    for (; groups.size() > pending; groups.pop_front())
      done.append(groups.front().begin(), groups.front().end());
    return done;
  }
  void clear() {
    open.clear();
    groups.clear();
  }

private:
  /// In no group yet.
  llvm::SmallVector<AsyncCopy, 0> open;
  std::deque<llvm::SmallVector<AsyncCopy, 0>> groups;
};

} // namespace gpuopt::runtime

#endif // RUNTIME_CPU_ASYNCCOPIES_H
