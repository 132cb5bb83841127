//===- DeviceMemory.cpp - the memory that a program has asked for ---------===//

#include "runtime/CUDA/DeviceMemory.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cstring>
#include <sys/mman.h>
#include <utility>

using namespace gpuopt::cuda;

/// What the CUDA API promises of an allocation's address is met by pages.
static constexpr uint64_t kPage = 4096;

/// Pages, of which none takes memory before it is touched. An array of no bytes
/// has a place as well.
static uint64_t roundToPages(uint64_t bytes) {
  return std::max<uint64_t>((bytes + kPage - 1) / kPage, 1) * kPage;
}

/// What devices give memory in; the program's own it has byte by byte.
static constexpr uint64_t kPiece = 512;

/// What devices map at once.
static constexpr uint64_t kMargin = 2 << 20;

std::string Allocation::name() const {
  return "the allocation of " + std::to_string(bytes) + " bytes at 0x" +
         llvm::utohexstr(reinterpret_cast<uint64_t>(begin), /*LowerCase=*/true);
}

uint64_t Allocation::spareBytes() const {
  return kind == MemoryKind::Registered ? 0
                                        : llvm::alignTo(bytes, kPiece) - bytes;
}

uint64_t Allocation::marginBytes() const {
  return kind == MemoryKind::Registered ? 0 : kMargin;
}

static uint8_t *mapPages(uint64_t bytes) {
  void *pages = mmap(nullptr, roundToPages(bytes), PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return pages == MAP_FAILED ? nullptr : static_cast<uint8_t *>(pages);
}

/// Pages between two margins, which can only be read.
static uint8_t *mapBetweenMargins(uint64_t bytes) {
  uint64_t inside = roundToPages(bytes);
  void *pages = mmap(nullptr, inside + 2 * kMargin, PROT_READ,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (pages == MAP_FAILED)
    return nullptr;
  uint8_t *begin = static_cast<uint8_t *>(pages) + kMargin;
  if (mprotect(begin, inside, PROT_READ | PROT_WRITE) == 0)
    return begin;
  munmap(pages, inside + 2 * kMargin);
  return nullptr;
}

cudaError_t DeviceMemory::allocate(void *&pointer, uint64_t bytes,
                                   MemoryKind kind, std::string position,
                                   unsigned flags) {
  uint8_t *pages = nullptr;
  if (source) {
    if (cudaError_t error = source->allocate(pages, bytes, kind);
        error != cudaSuccess)
      return error;
  } else if (kind == MemoryKind::Host || bytes <= limit - used) {
    pages = mapBetweenMargins(bytes);
  }
  if (!pages)
    return cudaErrorMemoryAllocation;
  note(pages, bytes, kind, ++count, std::move(position));
  byPlace[reinterpret_cast<uint64_t>(pages)].flags = flags;
  pointer = pages;
  return cudaSuccess;
}

void DeviceMemory::note(uint8_t *pages, uint64_t bytes, MemoryKind kind,
                        uint64_t number, std::string position) {
  uint8_t *isWritten =
      tracksWrites && kind == MemoryKind::Device ? mapPages(bytes) : nullptr;
  byPlace[reinterpret_cast<uint64_t>(pages)] = {
      pages, bytes, kind, number, std::move(position), isWritten};
  if (kind != MemoryKind::Host)
    used += bytes;
}

bool DeviceMemory::allocateAgain(void *pointer, uint64_t bytes,
                                 uint64_t number) {
  auto kept = reserved.find(pointer);
  if (kept == reserved.end() || kept->second != bytes ||
      (!source && bytes > limit - used))
    return false;
  kept->second.reset();
  note(static_cast<uint8_t *>(pointer), bytes, MemoryKind::Device, number, "");
  return true;
}

void DeviceMemory::giveBack(void *pointer, uint64_t bytes) {
  auto *memory = static_cast<uint8_t *>(pointer);
  if (source)
    source->release(memory, MemoryKind::Device);
  else
    munmap(memory - kMargin, roundToPages(bytes) + 2 * kMargin);
}

void DeviceMemory::unreserve(void *pointer) {
  auto kept = reserved.find(pointer);
  if (kept == reserved.end())
    return;
  std::optional<uint64_t> endedBytes = kept->second;
  reserved.erase(kept);
  if (endedBytes)
    giveBack(pointer, *endedBytes);
}

cudaError_t DeviceMemory::add(void *pointer, uint64_t bytes, unsigned flags) {
  auto begin = reinterpret_cast<uint64_t>(pointer);
  auto next = byPlace.lower_bound(begin);
  bool isKnown = next != byPlace.end() && next->first < begin + bytes;
  if (next != byPlace.begin()) {
    const auto &[place, before] = *std::prev(next);
    isKnown |= place + before.bytes > begin;
  }
  if (isKnown)
    return cudaErrorHostMemoryAlreadyRegistered;
  auto *memory = static_cast<uint8_t *>(pointer);
  cudaError_t error = source ? source->add(memory, bytes, flags) : cudaSuccess;
  if (error == cudaSuccess)
    byPlace[begin] = {memory,  bytes, MemoryKind::Registered, ++count, "",
                      nullptr, flags};
  return error;
}

DeviceMemory::Ended DeviceMemory::end(void *pointer, MemoryKind kind) {
  auto found = byPlace.find(reinterpret_cast<uint64_t>(pointer));
  if (found == byPlace.end())
    return {};
  const Allocation &old = found->second;
  MemoryKind own = old.kind;
  if (own != kind &&
      !(kind == MemoryKind::Device && own == MemoryKind::Managed))
    return {};
  if (old.isWritten)
    munmap(old.isWritten, roundToPages(old.bytes));
  Ended ended = {/*isThere=*/true};
  if (auto kept = reserved.find(pointer); kept != reserved.end())
    kept->second = old.bytes;
  else if (source)
    ended.kindToRelease = own;
  else if (own != MemoryKind::Registered)
    munmap(old.begin - kMargin, roundToPages(old.bytes) + 2 * kMargin);
  if (own != MemoryKind::Registered && own != MemoryKind::Host)
    used -= old.bytes;
  byPlace.erase(found);
  return ended;
}

bool DeviceMemory::release(void *pointer, MemoryKind kind) {
  Ended ended = end(pointer, kind);
  if (ended.kindToRelease)
    source->release(static_cast<uint8_t *>(pointer), *ended.kindToRelease);
  return ended.isThere;
}

void DeviceMemory::releaseAll() {
  for (auto [pointer, endedBytes] : std::exchange(reserved, {}))
    if (endedBytes)
      giveBack(pointer, *endedBytes);
  while (!byPlace.empty()) {
    const Allocation &first = byPlace.begin()->second;
    release(first.begin, first.kind);
  }
}

void DeviceMemory::noteWrite(const void *to, uint64_t bytes, const void *from) {
  auto flagsOf = [&](const void *place) -> uint8_t * {
    const Allocation *allocation = find(place);
    return allocation && allocation->isWritten &&
                   allocation->holds(place, bytes)
               ? allocation->isWritten +
                     (static_cast<const uint8_t *>(place) - allocation->begin)
               : nullptr;
  };
  uint8_t *flags = flagsOf(to);
  if (!flags)
    return;
  if (const uint8_t *others = from ? flagsOf(from) : nullptr)
    std::memmove(flags, others, bytes);
  else
    std::memset(flags, 1, bytes);
}

void DeviceMemory::noteAllWritten() {
  for (const auto &[place, allocation] : byPlace)
    if (allocation.isWritten)
      std::memset(allocation.isWritten, 1, allocation.bytes);
}

const Allocation *DeviceMemory::find(const void *pointer) const {
  auto next = byPlace.upper_bound(reinterpret_cast<uint64_t>(pointer));
  if (next == byPlace.begin())
    return nullptr;
  const Allocation &allocation = std::prev(next)->second;
  return allocation.holds(pointer, 0) ? &allocation : nullptr;
}
