//===- MemoryBarriers.h - barriers in workgroup memory ----------*- C++ -*-===//
//
// `mbarrier`: 64 bits that threads count in. A phase is over when as many have
// arrived as the barrier is for, and the next begins. PTX does not say what the
// bits are; here, from the lowest on,
//
//   pending: 20 | expected: 20 | phase: 1 | what tells it from others: 23
//
// What arriving returns is the word before. The end of a phase orders all
// threads of the block for the check of races, which may miss some so; and so
// does what a thread acquires by other atomic accesses of the block's scope.
//
//===----------------------------------------------------------------------===//

#ifndef RUNTIME_CPU_MEMORYBARRIERS_H
#define RUNTIME_CPU_MEMORYBARRIERS_H

#include <cstdint>

namespace gpuopt::runtime {

struct MemoryBarrier {
  static constexpr unsigned phaseBit = 40;
  static constexpr uint32_t mostThreads = (1 << 20) - 1;

  uint32_t pending = 0, expected = 0;
  bool phase = false, isValid = false;

  static MemoryBarrier load(const uint8_t *address);
  void store(uint8_t *address) const;
  uint64_t encode() const;
};

} // namespace gpuopt::runtime

#endif // RUNTIME_CPU_MEMORYBARRIERS_H
