//===- MemoryBarriers.h - barriers in workgroup memory ----------*- C++ -*-===//
//
// `mbarrier`: 64 bits that threads count in. A phase is over when as many have
// arrived as the barrier is for, and all bytes of copies that they expect are
// there (BulkCopies.h, which counts these), and the next begins. PTX does not say what the
// bits are; here, from the lowest on,
//
//   pending: 20 | expected: 20 | phase: 1 | what tells it from others: 23
//
// What arriving returns is the word before.
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

/// How threads arrive.
struct Arrival {
  static constexpr uint32_t
      isLast = 1,         ///< the barrier is for so many fewer from then on
      mayNotComplete = 2, ///< the phase does not end by it
      isRelaxed = 4;      ///< what they have done is not released
};

/// Bits of what a thread waits for (Wait::Phase), but for those of the phase.
struct PhaseWait {
  static constexpr uint64_t isRelaxed = 4;
  /// From here on: the bytes at the address in `mask` that it has read.
  static constexpr unsigned bytesBit = 8;
};

} // namespace gpuopt::runtime

#endif // RUNTIME_CPU_MEMORYBARRIERS_H
