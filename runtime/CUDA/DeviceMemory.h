//===- DeviceMemory.h - the memory that a program has asked for -*- C++ -*-===//

#ifndef RUNTIME_CUDA_DEVICEMEMORY_H
#define RUNTIME_CUDA_DEVICEMEMORY_H

#include "runtime/CUDA/API.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace gpuopt::cuda {

enum class MemoryKind {
  /// What only kernels and copies may touch.
  Device,
  /// What the host may touch, too.
  Managed,
  Host,
  /// The program's own, which it has registered.
  Registered,
  /// What programs know by handles only: arrays, objects of textures.
  Array
};

/// A piece of memory that the program has asked for.
struct Allocation {
  uint8_t *begin = nullptr;
  uint64_t bytes = 0;
  MemoryKind kind = MemoryKind::Device;
  /// Of all allocations, from 1 on; another may get the place of this one.
  uint64_t number = 0;
  /// Where the host has asked for it, if that is known.
  std::string position;
  /// Of each byte whether it has been written, 1 or 0; null where nobody asks.
  uint8_t *isWritten = nullptr;
  /// Of memory of the host's: those that the program has given.
  unsigned flags = 0;

  /// "the allocation of 64 bytes at 0x…".
  std::string name() const;
  /// Whether the host may not touch it.
  bool isOfDeviceOnly() const {
    return kind == MemoryKind::Device || kind == MemoryKind::Array;
  }
  /// Bytes behind it that a device has as well: what it gives comes in pieces.
  uint64_t spareBytes() const;
  /// Bytes on both sides that can be read, as a program that reads beside its
  /// arrays can on a device, where it hardly ever meets a page that is missing.
  uint64_t marginBytes() const;

  bool holds(const void *pointer, uint64_t size) const {
    auto *place = static_cast<const uint8_t *>(pointer);
    return place >= begin && place <= begin + bytes &&
           size <= uint64_t(begin + bytes - place);
  }
};

/// Where memory comes from that is not this machine's.
class MemorySource {
public:
  virtual ~MemorySource() = default;
  virtual cudaError_t allocate(uint8_t *&pointer, uint64_t bytes,
                               MemoryKind kind) = 0;
  /// Takes back what it has given, or what has been added.
  virtual cudaError_t release(uint8_t *pointer, MemoryKind kind) = 0;
  /// Makes memory of the program's own known to the device; `flags` are those
  /// of cudaHostRegister.
  virtual cudaError_t add(uint8_t *pointer, uint64_t bytes, unsigned flags) = 0;
};

/// All allocations, by their place. Where the device's memory is this machine's
/// it begins as zeros, and never takes more than the device has.
class DeviceMemory {
public:
  /// Takes memory from there, and not from this machine, from now on.
  void setSource(MemorySource *memory) { source = memory; }
  cudaError_t allocate(void *&pointer, uint64_t bytes, MemoryKind kind,
                       std::string position = "", unsigned flags = 0);
  /// Keeps the place of an allocation of the device's memory when it ends, so
  /// that it can begin again there, until `unreserve`.
  void reserve(void *pointer) { reserved.try_emplace(pointer, std::nullopt); }
  void unreserve(void *pointer);
  /// The device's memory where it has been before, with the number that it had;
  /// false where something else is there by now.
  bool allocateAgain(void *pointer, uint64_t bytes, uint64_t number);
  /// Notes memory of the program's own.
  cudaError_t add(void *pointer, uint64_t bytes, unsigned flags);
  /// Ends the allocation that begins at `pointer` and is of that kind, or, for
  /// Device, of the kinds that cudaFree takes. False where there is none.
  bool release(void *pointer, MemoryKind kind);
  /// The same, but what the source has given is not given back, which may take
  /// long: its kind, if that is to be done.
  struct Ended {
    bool isThere = false;
    std::optional<MemoryKind> kindToRelease = {};
  };
  Ended end(void *pointer, MemoryKind kind);
  void releaseAll();
  /// The allocation that `pointer` lies in, or one behind; null where there is
  /// none.
  const Allocation *find(const void *pointer) const;

  /// Notes from now on what is written to allocations that only the device may
  /// touch.
  void trackWrites() { tracksWrites = true; }
  /// The host has written there, or copied to there from `from`: what nobody
  /// has written stays so.
  void noteWrite(const void *to, uint64_t bytes, const void *from = nullptr);
  /// A kernel may have written anything.
  void noteAllWritten();

  void setLimit(uint64_t bytes) { limit = bytes; }
  uint64_t allBytes() const { return limit; }
  uint64_t freeBytes() const { return limit - used; }
  /// In the order of their places.
  const std::map<uint64_t, Allocation> &allocations() const { return byPlace; }

private:
  /// Gives back what has been kept.
  void giveBack(void *pointer, uint64_t bytes);
  void note(uint8_t *pages, uint64_t bytes, MemoryKind kind, uint64_t number,
            std::string position);

  MemorySource *source = nullptr;
  std::map<uint64_t, Allocation> byPlace;
  /// Allocations whose place is kept, and the bytes of those that have ended.
  std::map<void *, std::optional<uint64_t>> reserved;
  uint64_t limit = 0;
  uint64_t used = 0;
  /// Of allocations, so far.
  uint64_t count = 0;
  bool tracksWrites = false;
};

} // namespace gpuopt::cuda

#endif // RUNTIME_CUDA_DEVICEMEMORY_H
