//===- DeviceMemory.cpp - the memory that a program has asked for ---------===//

#include "runtime/CUDA/DeviceMemory.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cstring>
#include <sys/mman.h>

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

/// Pages between two margins, which can only be read; at `wanted`, if that is
/// not null.
static uint8_t *mapBetweenMargins(uint64_t bytes, uint8_t *wanted = nullptr) {
  uint64_t inside = roundToPages(bytes);
  void *place = wanted ? wanted - kMargin : nullptr;
  void *pages = mmap(place, inside + 2 * kMargin, PROT_READ,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE |
                         (wanted ? MAP_FIXED_NOREPLACE : 0),
                     -1, 0);
  if (pages == MAP_FAILED)
    return nullptr;
  uint8_t *begin = static_cast<uint8_t *>(pages) + kMargin;
  if (mprotect(begin, inside, PROT_READ | PROT_WRITE) == 0)
    return begin;
  munmap(pages, inside + 2 * kMargin);
  return nullptr;
}

void *DeviceMemory::allocate(uint64_t bytes, MemoryKind kind,
                             std::string position) {
  bool isDevices = kind != MemoryKind::Host;
  if (isDevices && bytes > limit - used)
    return nullptr;
  uint8_t *pages =
      origin ? origin->allocate(bytes, kind) : mapBetweenMargins(bytes);
  if (pages)
    note(pages, bytes, kind, std::move(position));
  return pages;
}

void DeviceMemory::note(uint8_t *pages, uint64_t bytes, MemoryKind kind,
                        std::string position) {
  uint8_t *isWritten =
      tracksWrites && kind == MemoryKind::Device ? mapPages(bytes) : nullptr;
  byPlace[reinterpret_cast<uint64_t>(pages)] = {pages, bytes, kind,
                                                std::move(position), isWritten};
  if (kind != MemoryKind::Host)
    used += bytes;
}

bool DeviceMemory::allocateAgain(void *pointer, uint64_t bytes) {
  auto *wanted = static_cast<uint8_t *>(pointer);
  if (origin) {
    auto kept = reserved.find(pointer);
    if (kept == reserved.end() || !kept->second)
      return false;
    kept->second = false;
  } else if (bytes > limit - used ||
             mapBetweenMargins(bytes, wanted) != wanted) {
    return false;
  }
  note(wanted, bytes, MemoryKind::Device, "");
  return true;
}

bool DeviceMemory::add(void *pointer, uint64_t bytes, MemoryKind kind) {
  auto begin = reinterpret_cast<uint64_t>(pointer);
  auto next = byPlace.lower_bound(begin);
  if (next != byPlace.end() && next->first < begin + bytes)
    return false;
  if (next != byPlace.begin()) {
    const auto &[place, before] = *std::prev(next);
    if (place + before.bytes > begin)
      return false;
  }
  auto *memory = static_cast<uint8_t *>(pointer);
  if (origin && !origin->add(memory, bytes))
    return false;
  byPlace[begin] = {memory, bytes, kind, "", nullptr};
  return true;
}

bool DeviceMemory::release(void *pointer, MemoryKind kind) {
  auto found = byPlace.find(reinterpret_cast<uint64_t>(pointer));
  if (found == byPlace.end())
    return false;
  MemoryKind own = found->second.kind;
  if (own != kind &&
      !(kind == MemoryKind::Device && own == MemoryKind::Managed))
    return false;
  if (found->second.isWritten)
    munmap(found->second.isWritten, roundToPages(found->second.bytes));
  if (auto kept = reserved.find(pointer); origin && kept != reserved.end())
    kept->second = true;
  else if (origin)
    origin->release(found->second.begin, own);
  else if (own != MemoryKind::Registered)
    munmap(found->second.begin - kMargin,
           roundToPages(found->second.bytes) + 2 * kMargin);
  if (own != MemoryKind::Registered && own != MemoryKind::Host)
    used -= found->second.bytes;
  byPlace.erase(found);
  return true;
}

void DeviceMemory::releaseAll() {
  for (auto [pointer, hasEnded] : std::exchange(reserved, {}))
    if (origin && hasEnded)
      origin->release(static_cast<uint8_t *>(pointer), MemoryKind::Device);
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
  if (const uint8_t *source = from ? flagsOf(from) : nullptr)
    std::memmove(flags, source, bytes);
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
