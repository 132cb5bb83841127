//===- AlignedMemory.h - memory of a block ----------------------*- C++ -*-===//

#ifndef RUNTIME_CPU_ALIGNEDMEMORY_H
#define RUNTIME_CPU_ALIGNEDMEMORY_H

#include <cstdint>
#include <memory>
#include <new>

namespace gpuopt::runtime {

/// Bytes that vector instructions may address, and whose place `wgmma` permutes
/// in pieces of 1024.
struct AlignedDelete {
  static constexpr std::align_val_t alignment{1024};
  void operator()(uint8_t *bytes) const {
    ::operator delete[](bytes, alignment);
  }
};
using AlignedBytes = std::unique_ptr<uint8_t[], AlignedDelete>;

AlignedBytes allocateBytes(uint64_t bytes);

/// Workgroup memory: below 4 GiB where the system has room there, since PTX
/// computes its addresses in 32 bits (`s ^ 16` of a swizzle).
class WorkgroupMemory {
public:
  explicit WorkgroupMemory(uint64_t bytes);
  ~WorkgroupMemory();
  WorkgroupMemory(const WorkgroupMemory &) = delete;
  WorkgroupMemory &operator=(const WorkgroupMemory &) = delete;

  uint8_t *get() const { return bytes; }

private:
  static constexpr uint64_t widestAccess = 16;
  uint8_t *bytes;
  uint64_t mappedBytes = 0;
};

} // namespace gpuopt::runtime

#endif // RUNTIME_CPU_ALIGNEDMEMORY_H
