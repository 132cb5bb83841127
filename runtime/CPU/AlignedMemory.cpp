//===- AlignedMemory.cpp - memory of a block ------------------------------===//

#include "runtime/CPU/AlignedMemory.h"

#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Process.h"

#include <sys/mman.h>

using namespace llvm;
using namespace gpuopt;
using namespace gpuopt::runtime;

AlignedBytes gpuopt::runtime::allocateBytes(uint64_t bytes) {
  return AlignedBytes(new (AlignedDelete::alignment) uint8_t[bytes]);
}

WorkgroupMemory::WorkgroupMemory(uint64_t size) {
  // The last element may be read as part of a vector.
  size += widestAccess;
#ifdef MAP_32BIT
  uint64_t rounded = alignTo(size, sys::Process::getPageSizeEstimate());
  void *mapped = mmap(nullptr, rounded, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
  if (mapped != MAP_FAILED) {
    bytes = static_cast<uint8_t *>(mapped);
    mappedBytes = rounded;
    return;
  }
#endif
  bytes = allocateBytes(size).release();
}

WorkgroupMemory::~WorkgroupMemory() {
  if (mappedBytes > 0)
    munmap(bytes, mappedBytes);
  else
    AlignedDelete()(bytes);
}
