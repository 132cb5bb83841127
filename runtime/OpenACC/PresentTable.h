//===- PresentTable.h - what of the host's memory a device has --*- C++ -*-===//
//
// OpenACC 3.3, sections 2.6.3 to 2.6.8: each piece of the host's memory that is
// present on the device has a copy there and a count of what wants it. The
// device is the one of runtime/CUDA.
//
//===----------------------------------------------------------------------===//

#ifndef RUNTIME_OPENACC_PRESENTTABLE_H
#define RUNTIME_OPENACC_PRESENTTABLE_H

#include "llvm/ADT/Twine.h"

#include <cstdint>
#include <map>
#include <mutex>

namespace gpuopt::openacc {

/// Ends the program: there are no error codes in OpenACC.
[[noreturn]] void fail(const llvm::Twine &message);

class PresentTable {
public:
  /// The one of this process.
  static PresentTable &get();

  enum class OnEntry { Copy, Create, Zero };
  enum class OnExit { Copy, Delete };

  /// Regions and directives are counted apart: the latter may end all of
  /// theirs.
  enum class Counter { Structured, Dynamic };

  /// Counts `bytes` bytes at `host` once more, which must not be present in
  /// part; where they are not present, the device gets them. Returns where.
  /// They are a section of `array`.
  char *enter(const volatile void *host, int64_t bytes, OnEntry action,
              Counter counter, const volatile void *array);
  /// Counts them once less, or not at all any more; the last one takes them
  /// from the device. Nothing where they are not present.
  void leave(const volatile void *host, int64_t bytes, OnExit action,
             Counter counter, bool finally = false);
  /// Where the device has these bytes; null where it does not. Those of nothing
  /// are where the byte there is.
  char *find(const volatile void *host, int64_t bytes) const;
  /// Where the device has the first element of `array`, or would, if it has a
  /// section of it; null for none.
  char *findArray(const volatile void *array) const;
  /// Which memory of the host is at an address of the device; null for none.
  char *findHost(const volatile void *device) const;
  /// `device` is the copy of `host` until `unmap`: the program's own.
  void map(void *host, void *device, int64_t bytes);
  void unmap(void *host);

  /// Held while the table is read or changed.
  std::recursive_mutex mutex;

private:
  struct Entry {
    char *host = nullptr;
    int64_t bytes = 0;
    char *device = nullptr;
    /// What it is a section of.
    char *array = nullptr;
    uint64_t structured = 0, dynamic = 0;
    uint64_t &count(Counter counter) {
      return counter == Counter::Structured ? structured : dynamic;
    }
    /// What is to be freed; null for what the program has mapped itself.
    void *memory = nullptr;
  };
  /// Whichever overlaps the bytes; null where none does.
  const Entry *overlapping(const volatile void *host, int64_t bytes) const;

  std::map<const volatile void *, Entry> byHost;
};

} // namespace gpuopt::openacc

#endif // RUNTIME_OPENACC_PRESENTTABLE_H
