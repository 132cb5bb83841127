//===- ThreadOrder.h - what a thread knows of the others --------*- C++ -*-===//
//
// Vector clocks of the threads of a block: what has happened before what, where
// that is not only a matter of barriers of the whole block.
//
//   thread 0            thread 1
//   tile[0] = 1         while (load.acquire(flag) != 1)
//   store.release(flag, 1)    ;
//                       tile[0]             // knows of thread 0's store
//
// What a thread releases stays with the place in memory until others write
// there; who reads it and acquires knows what the releaser knew. A relaxed
// access does the same with a fence before (of the writer) or behind (of the
// reader). Updates of others carry on what was released. Barriers of some
// threads, of subgroups and in memory let those who meet know of each other.
//
// Lanes that exchange a value are not ordered by that, but what one has
// acquired from other subgroups the others know from then on: the libraries of
// CUDA have one lane look at a flag for its subgroup.
//
// A barrier of the whole block orders all that came before: clocks begin anew.
//
//===----------------------------------------------------------------------===//

#ifndef RUNTIME_CPU_THREADORDER_H
#define RUNTIME_CPU_THREADORDER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"

#include <cstdint>
#include <vector>

namespace gpuopt::runtime {

/// What an atomic access or a fence does; as compiled kernels say it.
struct OrderedAccess {
  static constexpr uint32_t reads = 1, writes = 2, acquires = 4, releases = 8;
};

class ThreadOrder {
public:
  explicit ThreadOrder(size_t count) : threads(count), nothing(count, 0) {}

  /// All threads have met, or start.
  void clear();

  /// The thread's own time, from 1 on.
  uint32_t now(uint32_t thread) const { return threads[thread].time; }
  /// Of each thread up to when the accesses lie before what `thread` does now.
  llvm::ArrayRef<uint32_t> known(uint32_t thread) const;

  /// An atomic access with the flags of OrderedAccess.
  void access(uint32_t thread, const uint8_t *address, uint32_t flags);
  void fence(uint32_t thread, uint32_t flags);
  /// What was released there is no longer there.
  void overwrite(const uint8_t *address, uint64_t bytes);

  /// The threads that wait, and those that have only arrived, meet.
  void meet(llvm::ArrayRef<uint32_t> waiting,
            llvm::ArrayRef<uint32_t> arrived = {});

  /// Lanes exchange something.
  void tell(llvm::ArrayRef<uint32_t> lanes);

  // Barriers in memory.
  void arrive(uint32_t thread, const uint8_t *barrier);
  void endPhase(const uint8_t *barrier);
  void pass(uint32_t thread, const uint8_t *barrier);

private:
  /// Of each thread a time; behind the end is 0.
  using Clock = std::vector<uint32_t>;
  struct Thread {
    /// But for the thread's own time.
    Clock known;
    /// At the last fence that released, and read since the last that acquired.
    Clock fenced, seen;
    uint32_t time = 1;
  };
  static constexpr uint32_t nobody = ~0u;
  struct Place {
    Clock released;
    /// Who has written last.
    uint32_t writer = nobody;
  };
  struct Phase {
    Clock arrived, ended;
  };

  static void join(Clock &clock, const Clock &other);
  void publish(uint32_t thread, Clock &clock);

  std::vector<Thread> threads;
  const Clock nothing;
  llvm::DenseMap<const uint8_t *, Place> places;
  llvm::DenseMap<const uint8_t *, Phase> phases;
};

} // namespace gpuopt::runtime

#endif // RUNTIME_CPU_THREADORDER_H
