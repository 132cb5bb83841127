//===- Memory.cpp - memory and copies -------------------------------------===//

#include "PTXDriver.h"

#include <cstring>
#include <sys/mman.h>

using namespace ptx_driver;

uint64_t ptx_driver::pagesOf(uint64_t bytes) {
  constexpr uint64_t page = 4096;
  return std::max<uint64_t>((bytes + page - 1) / page, 1) * page;
}

static void protect(int how) {
  for (auto [address, allocation] : state().allocations)
    if (allocation.kind == Kind::Device || allocation.kind == Kind::Variable)
      mprotect(pointerTo(address), pagesOf(allocation.bytes), how);
}

DeviceAccess::DeviceAccess() { protect(PROT_READ | PROT_WRITE); }
DeviceAccess::~DeviceAccess() { protect(PROT_NONE); }

const Allocation *ptx_driver::find(Address address, uint64_t *offset) {
  std::lock_guard lock(state().mutex);
  auto next = state().allocations.upper_bound(address);
  if (next == state().allocations.begin())
    return nullptr;
  const auto &[begin, allocation] = *std::prev(next);
  if (address >= begin + allocation.bytes)
    return nullptr;
  if (offset)
    *offset = address - begin;
  return &allocation;
}

bool ptx_driver::fits(Address address, uint64_t bytes) {
  uint64_t offset = 0;
  const Allocation *allocation = find(address, &offset);
  return !allocation || bytes <= allocation->bytes - offset;
}

static uint8_t *mapPages(uint64_t bytes, int protection) {
  void *pages = mmap(nullptr, pagesOf(bytes), protection,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return pages == MAP_FAILED ? nullptr : static_cast<uint8_t *>(pages);
}

int ptx_driver::allocate(Address *address, uint64_t bytes, Kind kind) {
  std::lock_guard lock(state().mutex);
  if (state().error)
    return state().error;
  uint64_t used = 0;
  for (auto [place, allocation] : state().allocations)
    used += allocation.kind == Kind::Device ? allocation.bytes : 0;
  if (bytes == 0)
    return InvalidValue;
  uint8_t *pages = bytes > kDeviceBytes - used
                       ? nullptr
                       : mapPages(bytes, PROT_READ | PROT_WRITE);
  if (!pages)
    return OutOfMemory;
  std::memset(pages, 0xcd, bytes);
  *address = reinterpret_cast<Address>(pages);
  state().allocations[*address] = {bytes, kind};
  DeviceAccess();
  return Success;
}

/// Gives back at once.
static int giveBack(Address address, std::initializer_list<Kind> kinds) {
  std::lock_guard lock(state().mutex);
  auto found = state().allocations.find(address);
  if (found == state().allocations.end() ||
      !llvm::is_contained(kinds, found->second.kind))
    return InvalidValue;
  if (found->second.kind != Kind::Registered)
    munmap(pointerTo(address), pagesOf(found->second.bytes));
  state().allocations.erase(found);
  return Success;
}

int ptx_driver::release(Address address, std::initializer_list<Kind> kinds) {
  int error = finish();
  return error ? error : giveBack(address, kinds);
}

int ptx_driver::copy(const Side &to, const Side &from, size_t width,
                     size_t height, size_t depth, void *stream) {
  // Calls `use` with the beginnings of each row on both sides.
  auto forRows = [=](auto use) {
    for (size_t slice = 0; slice < depth; ++slice)
      for (size_t row = 0; row < height; ++row)
        use(to.begin + slice * to.slicePitch + row * to.pitch,
            from.begin + slice * from.slicePitch + row * from.pitch);
  };
  bool isInside = true;
  std::vector<uint8_t> staged;
  forRows([&](Address target, Address source) {
    isInside &= fits(target, width) && fits(source, width);
    if (!find(from.begin))
      staged.insert(staged.end(), pointerTo(source), pointerTo(source) + width);
  });
  if (!isInside)
    return InvalidValue;
  int error = enqueue(stream, [=, staged = std::move(staged)] {
    DeviceAccess access;
    const uint8_t *next = staged.data();
    forRows([&](Address target, Address source) {
      std::memmove(pointerTo(target), staged.empty() ? pointerTo(source) : next,
                   width);
      next += staged.empty() ? 0 : width;
    });
  });
  return error || find(to.begin) ? error : finishStream(stream);
}

template <class Element>
static int fillRows(Address to, size_t pitch, Element value, size_t width,
                    size_t height, void *stream) {
  for (size_t row = 0; row < height; ++row)
    if (!find(to + row * pitch) ||
        !fits(to + row * pitch, width * sizeof(Element)))
      return InvalidValue;
  return enqueue(stream, [=] {
    DeviceAccess access;
    for (size_t row = 0; row < height; ++row)
      std::fill_n(reinterpret_cast<Element *>(pointerTo(to + row * pitch)),
                  width, value);
  });
}

extern "C" {

int cuMemGetInfo_v2(size_t *freeBytes, size_t *allBytes) {
  *allBytes = *freeBytes = kDeviceBytes;
  for (auto [address, allocation] : state().allocations)
    *freeBytes -= allocation.kind == Kind::Device ? allocation.bytes : 0;
  return Success;
}

int cuMemAlloc_v2(Address *address, size_t bytes) {
  return allocate(address, bytes, Kind::Device);
}

int cuMemAllocAsync(Address *address, size_t bytes, void *) {
  return allocate(address, bytes, Kind::Device);
}

/// Behind what the stream still does with it, and nobody waits.
int cuMemFreeAsync(Address address, void *stream) {
  std::lock_guard lock(state().mutex);
  auto found = state().allocations.find(address);
  if (found == state().allocations.end() || found->second.kind != Kind::Device)
    return InvalidValue;
  return enqueue(stream, [=] { giveBack(address, {Kind::Device}); });
}

int cuMemAllocManaged(Address *address, size_t bytes, unsigned) {
  return allocate(address, bytes, Kind::Managed);
}

int cuMemHostAlloc(void **pointer, size_t bytes, unsigned) {
  Address address = 0;
  int error = allocate(&address, bytes, Kind::Host);
  *pointer = pointerTo(address);
  return error;
}

int cuMemFree_v2(Address address) {
  return release(address, {Kind::Device, Kind::Managed});
}

int cuMemFreeHost(void *pointer) {
  return release(reinterpret_cast<Address>(pointer), {Kind::Host});
}

int cuMemHostRegister_v2(void *pointer, size_t bytes, unsigned) {
  state().allocations[reinterpret_cast<Address>(pointer)] = {bytes,
                                                             Kind::Registered};
  return Success;
}

int cuMemHostUnregister(void *pointer) {
  return release(reinterpret_cast<Address>(pointer), {Kind::Registered});
}

int cuPointerGetAttribute(unsigned *value, int, Address address) {
  constexpr unsigned device = 2;
  *value = device;
  return find(address) ? Success : InvalidValue;
}

int cuMemcpyAsync(Address to, Address from, size_t bytes, void *stream) {
  return copy({to}, {from}, bytes, 1, 1, stream);
}

/// CUDA_MEMCPY2D.
struct RowCopy {
  size_t fromX, fromY;
  unsigned fromType;
  const void *fromHost;
  Address from;
  void *fromArray;
  size_t fromPitch;
  size_t toX, toY;
  unsigned toType;
  void *toHost;
  Address to;
  void *toArray;
  size_t toPitch;
  size_t width, height;
};

int cuMemcpy2DAsync_v2(const RowCopy *rows, void *stream) {
  constexpr unsigned any = 4;
  if (rows->fromType != any || rows->toType != any || rows->fromX ||
      rows->fromY || rows->toX || rows->toY || rows->width > rows->fromPitch ||
      rows->width > rows->toPitch)
    return InvalidValue;
  return copy({rows->to, rows->toPitch}, {rows->from, rows->fromPitch},
              rows->width, rows->height, 1, stream);
}

int cuMemsetD8Async(Address to, unsigned char value, size_t bytes,
                    void *stream) {
  return fillRows(to, bytes, value, bytes, 1, stream);
}

int cuMemsetD2D8Async(Address to, size_t pitch, unsigned char value,
                      size_t width, size_t height, void *stream) {
  return fillRows(to, pitch, value, width, height, stream);
}

int cuMemsetD2D16Async(Address to, size_t pitch, unsigned short value,
                       size_t width, size_t height, void *stream) {
  return fillRows(to, pitch, value, width, height, stream);
}

int cuMemsetD2D32Async(Address to, size_t pitch, unsigned value, size_t width,
                       size_t height, void *stream) {
  return fillRows(to, pitch, value, width, height, stream);
}

} // extern "C"
