//===- DeviceMemory.h - the memory that a program has asked for -*- C++ -*-===//

#ifndef RUNTIME_CUDA_DEVICEMEMORY_H
#define RUNTIME_CUDA_DEVICEMEMORY_H

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
  /// Where the host has asked for it, if that is known.
  std::string position;
  /// Of each byte whether it has been written, 1 or 0; null where nobody asks.
  uint8_t *isWritten = nullptr;

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
  /// Null where there is not so much left.
  virtual uint8_t *allocate(uint64_t bytes, MemoryKind kind) = 0;
  /// Takes back what it has given, or what has been added.
  virtual void release(uint8_t *pointer, MemoryKind kind) = 0;
  /// Makes memory of the program's own known to the device.
  virtual bool add(uint8_t *pointer, uint64_t bytes) = 0;
};

/// All allocations, by their place. The device's memory never takes more than
/// the device has, and begins as zeros where it is this machine's.
class DeviceMemory {
public:
  /// Takes memory from there, and not from this machine, from now on.
  void setSource(MemorySource *source) { origin = source; }
  /// Null where there is not so much left.
  void *allocate(uint64_t bytes, MemoryKind kind, std::string position = "");
  /// Keeps the place of an allocation of the device's memory when it ends, so
  /// that it can begin again there.
  void reserve(void *pointer) { reserved.try_emplace(pointer, false); }
  /// The same of the device's memory, where it has been before; false where
  /// something else is there by now.
  bool allocateAgain(void *pointer, uint64_t bytes);
  /// Notes memory of the program's own. False where a part of it is known.
  bool add(void *pointer, uint64_t bytes, MemoryKind kind);
  /// Ends the allocation that begins at `pointer` and is of that kind, or, for
  /// Device, of the kinds that cudaFree takes. False where there is none.
  bool release(void *pointer, MemoryKind kind);
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
  void note(uint8_t *pages, uint64_t bytes, MemoryKind kind,
            std::string position);

  MemorySource *origin = nullptr;
  std::map<uint64_t, Allocation> byPlace;
  /// Allocations whose place is kept, and whether they have ended. This
  /// machine's memory can be had again by its place alone.
  std::map<void *, bool> reserved;
  uint64_t limit = 0;
  uint64_t used = 0;
  bool tracksWrites = false;
};

} // namespace gpuopt::cuda

#endif // RUNTIME_CUDA_DEVICEMEMORY_H
