//===- PresentTable.cpp - what of the host's memory a device has ----------===//

#include "runtime/OpenACC/PresentTable.h"

#include "runtime/CUDA/API.h"
#include "runtime/CUDA/Program.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cstdlib>

using namespace gpuopt;
using namespace gpuopt::openacc;

void gpuopt::openacc::fail(const llvm::Twine &message) {
  cuda::report(message);
  // What the program has printed is still printed.
  std::exit(1);
}

static void check(cudaError_t error, const char *what) {
  if (error != cudaSuccess)
    fail(llvm::Twine(what) + ": " + cudaGetErrorString(error));
}

/// "4000 bytes at 0x…".
static std::string describe(const volatile void *host, int64_t bytes) {
  return std::to_string(bytes) + " bytes at 0x" +
         llvm::utohexstr(reinterpret_cast<uintptr_t>(host), /*LowerCase=*/true);
}

static char *placeOf(const volatile void *pointer) {
  return static_cast<char *>(const_cast<void *>(pointer));
}

PresentTable &PresentTable::get() {
  static PresentTable table;
  return table;
}

const PresentTable::Entry *PresentTable::overlapping(const volatile void *host,
                                                     int64_t bytes) const {
  char *begin = placeOf(host);
  // Nothing is where the byte there is.
  char *end = begin + std::max<int64_t>(bytes, 1);
  auto next = byHost.lower_bound(end);
  if (next == byHost.begin())
    return nullptr;
  const Entry &entry = std::prev(next)->second;
  return entry.host + entry.bytes > begin ? &entry : nullptr;
}

char *PresentTable::find(const volatile void *host, int64_t bytes) const {
  const Entry *entry = overlapping(host, bytes);
  char *begin = placeOf(host);
  if (!entry || begin < entry->host ||
      begin + bytes > entry->host + entry->bytes)
    return nullptr;
  return entry->device + (begin - entry->host);
}

char *PresentTable::findArray(const volatile void *array) const {
  const Entry *piece = nullptr;
  for (const Entry &entry : llvm::make_second_range(byHost))
    if (entry.array == placeOf(array)) {
      if (piece)
        fail("the device has an array in several pieces, " +
             describe(piece->host, piece->bytes) + " and " +
             describe(entry.host, entry.bytes) + ", which no kernel can use");
      piece = &entry;
    }
  if (char *begin = find(array, 0))
    return begin;
  return piece ? piece->device - (piece->host - piece->array) : nullptr;
}

char *PresentTable::findHost(const volatile void *device) const {
  char *place = placeOf(device);
  for (const Entry &entry : llvm::make_second_range(byHost))
    if (place >= entry.device && place < entry.device + entry.bytes)
      return entry.host + (place - entry.device);
  return nullptr;
}

/// Ends the program where only a part of the bytes is present.
static void failInPart(const volatile void *host, int64_t bytes,
                       const volatile void *present, int64_t presentBytes) {
  fail("of " + describe(host, bytes) +
       " the device has only a part: " + describe(present, presentBytes));
}

char *PresentTable::enter(const volatile void *host, int64_t bytes,
                          OnEntry action, Counter counter,
                          const volatile void *array) {
  if (const Entry *known = overlapping(host, bytes)) {
    char *device = find(host, bytes);
    if (!device)
      failInPart(host, bytes, known->host, known->bytes);
    ++byHost[known->host].count(counter);
    return device;
  }
  if (bytes <= 0 || !host)
    return nullptr;
  Entry entry;
  entry.host = placeOf(host);
  entry.bytes = bytes;
  entry.array = placeOf(array);
  entry.count(counter) = 1;
  // Kernels get the address of the first element, which has to be an address of
  // the same memory.
  int64_t before = std::max<int64_t>(entry.host - entry.array, 0);
  check(cudaMalloc(&entry.memory, before + bytes),
        "the device has no memory left");
  entry.device = static_cast<char *>(entry.memory) + before;
  if (action == OnEntry::Copy)
    check(cudaMemcpy(entry.device, entry.host, bytes, cudaMemcpyHostToDevice),
          "data cannot be copied to the device");
  if (action == OnEntry::Zero)
    check(cudaMemset(entry.device, 0, bytes),
          "the device's memory cannot be set");
  byHost[host] = entry;
  return entry.device;
}

void PresentTable::leave(const volatile void *host, int64_t bytes,
                         OnExit action, Counter counter, bool finally) {
  const Entry *known = overlapping(host, bytes);
  if (!known)
    return;
  char *device = find(host, bytes);
  if (!device)
    failInPart(host, bytes, known->host, known->bytes);
  Entry &entry = byHost[known->host];
  uint64_t &count = entry.count(counter);
  count = finally || count == 0 ? 0 : count - 1;
  if (entry.structured + entry.dynamic > 0)
    return;
  if (action == OnExit::Copy && bytes > 0)
    check(cudaMemcpy(placeOf(host), device, bytes, cudaMemcpyDeviceToHost),
          "data cannot be copied from the device");
  if (!entry.memory)
    return;
  check(cudaFree(entry.memory), "the device's memory cannot be freed");
  byHost.erase(entry.host);
}

void PresentTable::map(void *host, void *device, int64_t bytes) {
  if (overlapping(host, bytes))
    fail("acc_map_data: the device has a copy of " + describe(host, bytes));
  if (bytes <= 0)
    return;
  Entry &entry = byHost[host];
  entry.host = entry.array = placeOf(host);
  entry.bytes = bytes;
  entry.device = placeOf(device);
  // Until it is unmapped.
  entry.dynamic = 1;
}

void PresentTable::unmap(void *host) {
  auto entry = byHost.find(host);
  if (entry == byHost.end() || entry->second.memory)
    fail("acc_unmap_data: nothing is mapped there");
  byHost.erase(entry);
}
